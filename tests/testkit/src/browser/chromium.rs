//! The real browser, through the protocol of its developer tools.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use headless_chrome::browser::tab::Tab;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Log, Network, Page as Cdp, Runtime};
use headless_chrome::{Browser as Chrome, LaunchOptions};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Light, Look};
use crate::{runs_slow, skipped};

/// A running browser.
pub struct Browser {
    chrome: Chrome,
    pictures: PathBuf,
}

/// The events of a page.
#[derive(Default)]
struct Heard {
    complaints: Vec<String>,
    requests: Vec<String>,
}

/// An open page.
pub struct Page {
    tab: Arc<Tab>,
    heard: Arc<Mutex<Heard>>,
    pictures: PathBuf,
}

/// The maximum height of a picture.
const SLICE: usize = 3000;

impl Browser {
    /// Starts the browser; `None`, after a line that says so, if there is none or slow tests are not run. Pictures of
    /// its pages are written to the folder `pictures`.
    ///
    /// # Panics
    ///
    /// If the browser that `UPHEAVAL_CHROMIUM` names does not start.
    pub fn start(pictures: &Path) -> Option<Browser> {
        if !runs_slow("a look at the page in a browser") {
            return None;
        }
        let named = std::env::var_os("UPHEAVAL_CHROMIUM").map(PathBuf::from);
        let Some(path) = named.clone().or_else(on_the_path) else {
            skipped(
                "no Chromium here, so no page is looked at. Install `chromium`, or name one in UPHEAVAL_CHROMIUM.",
            );
            return None;
        };
        let quiet = ["--disable-quic", "--disable-component-update", "--hide-scrollbars"];
        let options = LaunchOptions {
            path: Some(path.clone()),
            // As root, and in most containers, it does not start with a sandbox.
            sandbox: false,
            args: quiet.iter().map(OsStr::new).collect(),
            window_size: Some((1280, 900)),
            idle_browser_timeout: Duration::from_secs(300),
            ..LaunchOptions::default()
        };
        match Chrome::new(options) {
            Ok(chrome) => Some(Browser { chrome, pictures: pictures.to_owned() }),
            Err(error) if named.is_none() => {
                skipped(&format!("`{}` does not start: {error:#}", path.display()));
                None
            }
            Err(error) => panic!("UPHEAVAL_CHROMIUM, `{}`, does not start: {error:#}", path.display()),
        }
    }

    /// Opens a file, and records its events from the start.
    pub fn open(&self, file: &Path) -> Page {
        self.open_at(file, "")
    }

    /// Opens a file at a place in it.
    pub fn open_at(&self, file: &Path, place: &str) -> Page {
        let tab = self.chrome.new_tab().expect("a tab");
        tab.set_default_timeout(Duration::from_secs(60));
        let heard = Arc::new(Mutex::new(Heard::default()));
        let ears = Arc::clone(&heard);
        let listen = move |event: &Event| {
            let mut heard = ears.lock().unwrap();
            match event {
                Event::LogEntryAdded(entry) => heard.complaints.push(entry.params.entry.text.clone()),
                Event::RuntimeConsoleAPICalled(call) => {
                    heard.complaints.push(format!("{:?}", call.params.args))
                }
                Event::RuntimeExceptionThrown(thrown) => {
                    heard.complaints.push(thrown.params.exception_details.text.clone())
                }
                Event::NetworkRequestWillBeSent(sent) => heard.requests.push(sent.params.request.url.clone()),
                _ => {}
            }
        };
        tab.add_event_listener(Arc::new(listen)).expect("a listener");
        tab.call_method(Log::Enable(None)).expect("its log");
        tab.call_method(Runtime::Enable(None)).expect("its console");
        let enable: Network::Enable = serde_json::from_value(json!({})).unwrap();
        tab.call_method(enable).expect("its network");
        let url = format!("file://{}{place}", file.canonicalize().expect("a file").display());
        tab.navigate_to(&url).and_then(|tab| tab.wait_until_navigated()).expect("a page");
        Page { tab, heard, pictures: self.pictures.clone() }
    }
}

fn on_the_path() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

impl Page {
    /// The value of a JavaScript expression on the page, evaluated by the developer tools; the page needs no script.
    pub fn ask<T: DeserializeOwned>(&self, expression: &str) -> T {
        let wrapped = format!("JSON.stringify((() => {{ return {expression}; }})())");
        let answer = self.tab.evaluate(&wrapped, false).expect("an answer");
        let text = answer.value.and_then(|value| value.as_str().map(str::to_owned));
        let text = text.unwrap_or_else(|| panic!("{expression}: no answer, {:?}", answer.description));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{expression}: {error} in {text}"))
    }

    /// Runs JavaScript on the page with the developer tools.
    pub fn make(&self, statements: &str) {
        self.ask::<bool>(&format!("(() => {{ {statements}; return true; }})()"));
    }

    /// Follows a link within the page.
    pub fn go_to(&self, place: &str) {
        self.make(&format!("location.hash = {place:?}"));
        // Listeners of the page run before the next evaluation.
        self.ask::<bool>("true");
    }

    /// Presses a key, like a reader.
    pub fn press(&self, key: &str) {
        self.tab.press_key(key).expect("a key");
    }

    /// Clicks on the first element of a selector.
    pub fn click(&self, selector: &str) {
        self.tab.find_element(selector).and_then(|element| element.click().map(drop)).expect("an element");
    }

    /// Changes the emulated display.
    pub fn look(&self, look: Look) {
        self.size(look.width, 900);
        let (media, scheme) = match look.light {
            Light::Day => ("screen", "light"),
            Light::Night => ("screen", "dark"),
            Light::Paper => ("print", "light"),
        };
        let media: Emulation::SetEmulatedMedia = serde_json::from_value(json!({
            "media": media, "features": [{ "name": "prefers-color-scheme", "value": scheme }]
        }))
        .unwrap();
        self.tab.call_method(media).expect("a light");
    }

    /// Sets the size of its window.
    pub fn size(&self, width: u32, height: u32) {
        let metrics: Emulation::SetDeviceMetricsOverride = serde_json::from_value(json!({
            "width": width, "height": height, "deviceScaleFactor": 1.0, "mobile": false
        }))
        .unwrap();
        self.tab.call_method(metrics).expect("a size");
    }

    /// The messages on its console and the complaints of the browser.
    pub fn complaints(&self) -> Vec<String> {
        self.heard.lock().unwrap().complaints.clone()
    }

    /// Its requests, except for itself and embedded data.
    pub fn requests(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.requests.iter().skip(1).filter(|url| !url.starts_with("data:")).cloned().collect()
    }

    /// Takes pictures of the whole page, from top to bottom, in the folder of the browser.
    pub fn picture(&self, name: &str) {
        std::fs::create_dir_all(&self.pictures).expect("a folder for pictures");
        let [width, height]: [u32; 2] =
            self.ask("[window.innerWidth, document.documentElement.scrollHeight]");
        self.size(width, height);
        for (slice, top) in (0..height).step_by(SLICE).enumerate() {
            let clip = Cdp::Viewport {
                x: 0.0,
                y: f64::from(top),
                width: f64::from(width),
                height: f64::from((height - top).min(SLICE as u32)),
                scale: 1.0,
            };
            let png = Cdp::CaptureScreenshotFormatOption::Png;
            let bytes = self.tab.capture_screenshot(png, None, Some(clip), true).expect("a picture");
            let file = self.pictures.join(format!("{name}-{slice}.png"));
            std::fs::write(file, bytes).expect("a picture is written");
        }
        self.size(width, 900);
    }
}
