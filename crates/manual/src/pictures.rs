//! The pictures that chapters show.

/// The name of the file of each, and what is in it.
pub const PICTURES: &[(&str, &str)] = &[
    (
        "resnet18.svg",
        include_str!("../../../tests/pictures/resnet18.svg"),
    ),
    ("lifetimes.svg", include_str!("../pictures/lifetimes.svg")),
    ("planners.svg", include_str!("../pictures/planners.svg")),
    ("ownership.svg", include_str!("../pictures/ownership.svg")),
    ("regions.svg", include_str!("../pictures/regions.svg")),
    ("bounded.svg", include_str!("../pictures/bounded.svg")),
    ("budgets.svg", include_str!("../pictures/budgets.svg")),
];
