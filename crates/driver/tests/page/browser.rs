//! Headless Chromium, controlled by its DevTools protocol.
//!
//! The browser reads from descriptor 3 and writes to 4, with a null byte after each message. This
//! needs neither a port nor a crate.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Exchanges the descriptors, and ends a browser that hangs.
const START: &str = r#"exec timeout 120 "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null"#;

/// A browser with one page.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The session of the page, after it was opened.
    session: Option<String>,
    calls: u64,
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts `chromium`, or the executable in the variable CHROMIUM.
    pub fn start() -> Self {
        let program = env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
        let found = Command::new(&program).arg("--version").output();
        assert!(
            found.is_ok_and(|output| output.status.success()),
            "{} does not run: ci/setup installs Chromium, CHROMIUM=… names another",
            program.display()
        );
        let profile = TempDir::new().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", START])
            .arg(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args([
                "--remote-debugging-pipe",
                "--hide-scrollbars",
                "--window-size=1400,860",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut browser = Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            session: None,
            calls: 0,
            events: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        );
        for domain in ["Page", "Runtime", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        write!(self.input, "{message}\0").unwrap();
        loop {
            let mut answer = self.read();
            if answer["id"] == self.calls {
                assert_eq!(answer.get("error"), None, "{method}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    fn read(&mut self) -> Value {
        let mut message = Vec::new();
        self.output.read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "Chromium ended");
        serde_json::from_slice(&message).unwrap()
    }

    /// Navigates to an address, and waits until the page is loaded.
    pub fn open(&mut self, file: &Path, fragment: &str) {
        // A change of the fragment alone would not load the page again.
        self.call("Page.navigate", json!({"url": "about:blank"}));
        let url = format!("file://{}#{fragment}", file.display());
        self.events.clear();
        self.call("Page.navigate", json!({"url": url}));
        while !self.has("Page.loadEventFired") {
            let event = self.read();
            self.events.push(event);
        }
        self.evaluate(READY);
    }

    /// Waits until pending drawing is done.
    pub fn rest(&mut self) {
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
    }

    fn has(&self, method: &str) -> bool {
        self.events.iter().any(|event| event["method"] == method)
    }

    /// The addresses that were requested since the page was opened.
    pub fn requests(&self) -> Vec<String> {
        let events = self.events.iter();
        events
            .filter(|event| event["method"] == "Network.requestWillBeSent")
            .map(|event| {
                event["params"]["request"]["url"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    }

    /// The errors of the page since it was opened.
    pub fn complaints(&self) -> Vec<&Value> {
        const KINDS: [&str; 2] = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled"];
        let events = self.events.iter();
        events
            .filter(|event| KINDS.iter().any(|kind| event["method"] == *kind))
            .collect()
    }

    /// The value of an expression in the page. Awaits a promise.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", parameters);
        assert_eq!(answer.get("exceptionDetails"), None, "{expression}");
        answer["result"]["value"].take()
    }

    /// The value of an expression that is a string.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.evaluate(expression);
        let text = value.as_str();
        text.unwrap_or_else(|| panic!("{expression} is {value}"))
            .to_owned()
    }

    /// The text of the element with this id.
    pub fn text_of(&mut self, id: &str) -> String {
        self.text(&format!("document.getElementById('{id}').textContent"))
    }

    /// Presses a key: a letter or sign, or the name of a key in JavaScript.
    pub fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        let codes = [
            ("Enter", 13),
            ("Escape", 27),
            ("Tab", 9),
            ("ArrowLeft", 37),
            ("ArrowUp", 38),
            ("ArrowRight", 39),
            ("ArrowDown", 40),
        ];
        let code = codes.iter().find(|one| one.0 == key).map_or(0, |one| one.1);
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event =
                json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", event);
        }
        self.rest();
    }

    /// Types a text, key by key.
    pub fn write(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(&letter.to_string());
        }
    }

    /// Sends a mouse event: `mouseMoved`, `mousePressed`, `mouseReleased`, or `mouseWheel` by
    /// `wheel`.
    pub fn mouse(&mut self, kind: &str, (x, y): (f64, f64), wheel: f64) {
        let button = match kind {
            "mousePressed" | "mouseReleased" => "left",
            _ => "none",
        };
        self.call(
            "Input.dispatchMouseEvent",
            json!({
                "type": kind, "x": x, "y": y, "button": button, "clickCount": 1, "deltaX": 0, "deltaY": wheel,
            }),
        );
        self.rest();
    }

    /// Presses and releases the mouse at a point.
    pub fn click(&mut self, at: (f64, f64)) {
        self.mouse("mousePressed", at, 0.0);
        self.mouse("mouseReleased", at, 0.0);
    }

    /// Saves a screenshot for manual inspection. Returns it in base 64.
    pub fn picture(&mut self, file: &Path) -> String {
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let encoded = shot["data"].as_str().unwrap().to_owned();
        std::fs::write(file, BASE64_STANDARD.decode(&encoded).unwrap()).unwrap();
        encoded
    }

    /// The colours of a picture, the most frequent first, as the style sheet writes them. Leaves
    /// the page, which may load nothing, not even this picture.
    pub fn colours(&mut self, picture: &str) -> Vec<String> {
        self.call("Page.navigate", json!({"url": "about:blank"}));
        let counting = format!("(async () => {{{COLOURS}}})()").replace("ENCODED", picture);
        serde_json::from_value(self.evaluate(&counting)).unwrap()
    }
}

/// Waits until the page was painted and has the focus. Keys pressed before that are lost.
const READY: &str = r#"(async () => {
    while (!document.hasFocus() || performance.getEntriesByType("paint").length < 2) {
        await new Promise((done) => setTimeout(done, 20));
    }
})()"#;

/// Counts the colours of a picture.
const COLOURS: &str = r#"
    const bytes = Uint8Array.from(atob("ENCODED"), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
        const colour = `#${[0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, "0")).join("")}`;
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
"#;

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        _ = write!(
            self.input,
            "{}\0",
            json!({"id": 0, "method": "Browser.close"})
        );
        _ = self.child.wait();
    }
}
