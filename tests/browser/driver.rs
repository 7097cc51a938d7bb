//! Headless Chromium, driven through pipes.
//!
//! It speaks the DevTools Protocol on two open files: JSON, with a zero byte after each message.

use std::cell::RefCell;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The names under which Chromium is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A time that nothing exceeds, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Options for running without a window and without content from the network.
const OPTIONS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "about:blank",
];

/// A shell script that passes its standard input and output to Chromium as files 3 and 4, which carry the protocol.
const PIPES: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";

/// The theme that the system prefers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Theme {
    Light,
    Dark,
}

/// A browser with one page.
pub(super) struct Browser {
    child: Child,
    input: RefCell<ChildStdin>,
    messages: Receiver<Value>,
    state: RefCell<State>,
    _profile: tempfile::TempDir,
}

#[derive(Default)]
struct State {
    calls: u64,
    session: Option<String>,
    /// The errors in the page.
    errors: Vec<String>,
}

/// The name of an installed Chromium, if there is one. Panics if `CHROMIUM` names one that does not work.
static PROGRAM: LazyLock<Option<OsString>> = LazyLock::new(|| {
    let works = |name: &OsString| {
        let mut version = Command::new(name);
        let version = version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    if let Some(named) = env::var_os("CHROMIUM") {
        assert!(works(&named), "CHROMIUM names {}, which does not run", named.display());
        return Some(named);
    }
    NAMES.map(OsString::from).into_iter().find(works)
});

impl Browser {
    /// Starts Chromium. If none is installed, prints a note and returns `None`: the test is skipped.
    pub(super) fn start() -> Option<Browser> {
        let Some(program) = &*PROGRAM else {
            // `eprintln` would only be shown for tests that fail.
            let note = "skipped, as no Chromium is installed (CHROMIUM names one): a test of pages in the browser";
            let _ = writeln!(io::stderr(), "{note}");
            return None;
        };
        let profile = tempfile::tempdir().expect("there is room for a profile");
        let mut child = Command::new("sh")
            .args(["-c", PIPES])
            .arg(program)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(OPTIONS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                let parsed = serde_json::from_slice(&message).expect("messages are JSON");
                if sender.send(parsed).is_err() {
                    return;
                }
                message.clear();
            }
        });
        let browser = Browser {
            child,
            input: RefCell::new(input),
            messages,
            state: RefCell::default(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        );
        browser.state.borrow_mut().session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        // The tests do not depend on the theme of the system.
        browser.show(Theme::Light);
        Some(browser)
    }

    /// Returns the next message from the browser.
    fn next(&self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("the browser answers");
        let error = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => &message["params"]["exceptionDetails"]["exception"]["description"],
            Some("Log.entryAdded") if message["params"]["entry"]["level"] == "error" => {
                &message["params"]["entry"]["text"]
            }
            _ => return message,
        };
        self.state.borrow_mut().errors.push(error.to_string());
        message
    }

    fn call(&self, method: &str, params: Value) -> Value {
        self.answer(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Calls a method of the protocol. Returns its result, or its error.
    fn answer(&self, method: &str, params: Value) -> Result<Value, Value> {
        let (id, session) = {
            let mut state = self.state.borrow_mut();
            state.calls += 1;
            (state.calls, state.session.clone())
        };
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut input = self.input.borrow_mut();
        input
            .write_all(format!("{message}\0").as_bytes())
            .expect("the browser listens");
        loop {
            let mut answer = self.next();
            if answer["id"] == id {
                return match answer.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(answer["result"].take()),
                };
            }
        }
    }

    /// Sets the size of the window. A narrow window is that of a phone.
    pub(super) fn resize(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Makes the page believe that the system prefers this theme.
    pub(super) fn show(&self, theme: Theme) {
        let scheme = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Shows the page as it is printed on a system that prefers the dark theme.
    pub(super) fn show_as_printed(&self) {
        let features = json!([{"name": "prefers-color-scheme", "value": "dark"}]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({"media": "print", "features": features}),
        );
    }

    /// Leaves the open page.
    pub(super) fn leave(&self) {
        self.call("Page.navigate", json!({"url": "about:blank"}));
    }

    /// Opens a page and waits until it is complete.
    pub(super) fn open(&self, page: &Path) {
        self.leave();
        self.call("Page.navigate", json!({"url": format!("file://{}", page.display())}));
        self.wait_for("document.readyState === 'complete' && location.protocol === 'file:'");
    }

    /// Waits until an expression is true. Another page may be opened meanwhile.
    pub(super) fn wait_for(&self, expression: &str) {
        let begin = Instant::now();
        while self.evaluated(expression).ok() != Some(Value::Bool(true)) {
            assert!(begin.elapsed() < PATIENCE, "in vain: {expression}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the value of an expression in the page, waiting for it if it is a promise.
    pub(super) fn evaluate(&self, expression: &str) -> Value {
        self.evaluated(expression)
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    fn evaluated(&self, expression: &str) -> Result<Value, Value> {
        let parameters = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.answer("Runtime.evaluate", parameters)?;
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        Ok(answer["result"]["value"].take())
    }

    /// Presses a key, given by its name in events.
    pub(super) fn press(&self, key: &str) {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            "Escape" => 27,
            "Tab" => 9,
            "Enter" => 13,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Returns the errors in the page until now: exceptions, and forbidden actions.
    pub(super) fn errors(&self) -> Vec<String> {
        self.evaluate("0");
        self.state.borrow().errors.clone()
    }

    /// Prints the open page on paper of this size in inches. Keeps the document if `SCREENSHOTS` names a folder.
    pub(super) fn pdf(&self, width: f64, height: f64, name: &str) -> Vec<u8> {
        let paper = json!({"paperWidth": width, "paperHeight": height, "printBackground": true});
        let printed = self.call("Page.printToPDF", paper);
        let document = decoded(printed["data"].as_str().expect("a document"));
        if let Some(folder) = env::var_os("SCREENSHOTS").map(PathBuf::from) {
            fs::create_dir_all(&folder).expect("the folder can be made");
            fs::write(folder.join(format!("{name}.pdf")), &document).expect("documents can be written");
        }
        document
    }

    /// Saves a picture of the window for people to look at, if `SCREENSHOTS` names a folder.
    pub(super) fn screenshot(&self, name: &str) {
        let Some(folder) = env::var_os("SCREENSHOTS").map(PathBuf::from) else {
            return;
        };
        // After two frames the page is certainly drawn.
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))");
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let data = picture["data"].as_str().expect("a picture");
        fs::create_dir_all(&folder).expect("the folder can be made");
        fs::write(folder.join(format!("{name}.png")), decoded(data)).expect("pictures can be written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It does not matter whether Chromium ends by itself or is killed: its profile is removed in any case.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Decodes base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |sign: u8| match sign {
        b'A'..=b'Z' => Some(u32::from(sign - b'A')),
        b'a'..=b'z' => Some(u32::from(sign - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(sign - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let values: Vec<u32> = text.bytes().filter_map(value).collect();
    let groups = values.chunks(4).flat_map(|group| {
        let bits = group.iter().fold(0, |bits, value| bits << 6 | value) << (6 * (4 - group.len()));
        bits.to_be_bytes().into_iter().skip(1).take(group.len() - 1)
    });
    groups.collect()
}
