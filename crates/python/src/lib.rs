//! `memplan._planner`: the planner as a module for Python. `python/memplan` is the package around it, with the names that
//! users see.

mod problem;
mod search;

use pyo3::pymodule;

/// The planner.
#[pymodule]
mod _planner {
    use crate::{
        problem::Arrays,
        search::{self, Found},
    };
    use memplan_planner::{Effort, Options, Planner, certificate};
    use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
    use pyo3::{Bound, PyResult, Python, exceptions::PyValueError, pyfunction};
    use std::time::Duration;

    /// Offsets, peak, lower bound, proof, planner, whether the plan fits, and whether the search was interrupted.
    type Answer<'py> = (
        Option<Bound<'py, PyArray1<u64>>>,
        u64,
        u64,
        String,
        String,
        bool,
        bool,
    );

    /// Solves a problem whose arrays are of 64-bit integers with sign.
    #[pyfunction]
    #[expect(clippy::too_many_arguments, reason = "the package passes them by name")]
    fn solve<'py>(
        py: Python<'py>,
        lower: PyReadonlyArray1<'py, i64>,
        upper: PyReadonlyArray1<'py, i64>,
        size: PyReadonlyArray1<'py, i64>,
        alignment: Option<PyReadonlyArray1<'py, i64>>,
        offset: Option<PyReadonlyArray1<'py, i64>>,
        gaps: Option<PyReadonlyArray2<'py, i64>>,
        capacity: Option<u64>,
        planner: &str,
        effort: Option<&str>,
        seed: u64,
        time_limit: Option<f64>,
    ) -> PyResult<Answer<'py>> {
        let arrays = Arrays {
            lower: lower.as_array(),
            upper: upper.as_array(),
            size: size.as_array(),
            alignment: alignment.as_ref().map(PyReadonlyArray1::as_array),
            offset: offset.as_ref().map(PyReadonlyArray1::as_array),
            gaps: gaps.as_ref().map(PyReadonlyArray2::as_array),
        };
        let problem = arrays.problem(capacity).map_err(PyValueError::new_err)?;
        let planner: Planner = planner.parse().map_err(invalid)?;
        let time_limit = time_limit
            .map(Duration::try_from_secs_f64)
            .transpose()
            .map_err(|_| PyValueError::new_err("time_limit is not a time in seconds"))?;
        let options = Options {
            effort: match (effort, time_limit) {
                (Some(effort), _) => effort.parse().map_err(invalid)?,
                (None, Some(_)) => Effort::Steps(u64::MAX),
                (None, None) => Effort::default(),
            },
            seed,
            time_limit,
        };
        let found = py.detach(|| {
            search::solve(&problem, planner, &options, &mut || {
                Python::attach(|py| py.check_signals().is_ok())
            })
        });
        let Found {
            offsets,
            peak,
            lower_bound,
            proof,
            planner,
            fits,
            is_interrupted,
        } = found.map_err(PyValueError::new_err)?;
        let offsets = offsets.map(|offsets| offsets.into_pyarray(py));
        Ok((
            offsets,
            peak,
            lower_bound,
            proof,
            planner,
            fits,
            is_interrupted,
        ))
    }

    /// What a proof shows of a problem: a number of bytes that no plan is below.
    #[pyfunction]
    #[expect(clippy::too_many_arguments, reason = "the package passes them by name")]
    fn check(
        py: Python<'_>,
        lower: PyReadonlyArray1<'_, i64>,
        upper: PyReadonlyArray1<'_, i64>,
        size: PyReadonlyArray1<'_, i64>,
        alignment: Option<PyReadonlyArray1<'_, i64>>,
        offset: Option<PyReadonlyArray1<'_, i64>>,
        gaps: Option<PyReadonlyArray2<'_, i64>>,
        proof: &str,
    ) -> PyResult<u64> {
        let arrays = Arrays {
            lower: lower.as_array(),
            upper: upper.as_array(),
            size: size.as_array(),
            alignment: alignment.as_ref().map(PyReadonlyArray1::as_array),
            offset: offset.as_ref().map(PyReadonlyArray1::as_array),
            gaps: gaps.as_ref().map(PyReadonlyArray2::as_array),
        };
        let problem = arrays.problem(None).map_err(PyValueError::new_err)?;
        let claim = certificate::from_text(proof).map_err(invalid)?;
        py.detach(|| claim.check(&problem)).map_err(invalid)
    }

    fn invalid(error: impl std::fmt::Display) -> pyo3::PyErr {
        PyValueError::new_err(error.to_string())
    }
}
