//! The rights of a page: its content security policy. It allows only the style sheet and the script of the page itself,
//! each identified by its hash; anything that gets into a page through a name is neither run nor fetched.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{Markup, html};
use sha2::{Digest, Sha256};

/// The element of a page's head with the policy. It precedes the style sheet and the script, because it only applies to
/// what follows it.
pub(crate) fn policy(style: &str, script: Option<&str>) -> Markup {
    let scripts = script.map(|script| format!("; script-src {}", source(script))).unwrap_or_default();
    let said = format!(
        "default-src 'none'; style-src {}{scripts}; img-src data:; base-uri 'none'; form-action 'none'",
        source(style)
    );
    html! { meta http-equiv="Content-Security-Policy" content=(said); }
}

/// A text as a policy refers to it.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_named_by_its_hash() {
        // `printf 'alert(1)' | openssl dgst -sha256 -binary | base64`
        assert_eq!(source("alert(1)"), "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='");
    }

    #[test]
    fn a_page_without_a_script_allows_none() {
        let said = policy("p{}", None).into_string();
        assert!(said.contains("default-src 'none'") && !said.contains("script-src"), "{said}");
        assert!(!policy("p{}", Some("f()")).into_string().contains("unsafe"));
    }
}
