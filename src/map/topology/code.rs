//! Codes of provinces: `BUR`, `NAT`, `ISLE.N`, and `BUR.1` for a half of one that was split.

/// The permitted lengths of a province code in a map file.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=8;

/// The fault of a code in a map file, given in capitals; `None` if there is none.
///
/// A code has 2 to 8 letters, digits and dots, begins with a letter and does not end in a dot. It does not
/// end in `.1` or `.2` either, because those mark the halves of a split province. The codes of halves can be
/// longer than 8 characters.
pub(crate) fn fault(code: &str) -> Option<String> {
    let is_of_code = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '.';
    let begins_well = code.starts_with(|c: char| c.is_ascii_uppercase());
    if !begins_well || code.ends_with('.') || !code.chars().all(is_of_code) || !LENGTHS.contains(&code.len())
    {
        return Some(format!(
            "`{code}` is not a province code; one has {} to {} letters A to Z, digits and dots, the first of them a \
             letter and the last of them not a dot",
            LENGTHS.start(),
            LENGTHS.end()
        ));
    }
    (whole_of(code) != code).then(|| {
        format!(
            "`{code}` would be taken for a half of `{}`, for the halves of a province that is split end in `.1` and `.2`; \
             another ending would be right, such as `{}.A`",
            whole_of(code),
            whole_of(code)
        )
    })
}

/// The code in the map file of the province of which this one is a part: `BUR` for `BUR.2.1`, and also for
/// `BUR` itself.
///
/// ```
/// use upheaval_map::topology::whole_of;
/// assert_eq!(["BUR", "BUR.2.1", "ISLE.N", "ISLE.N.1"].map(whole_of), ["BUR", "BUR", "ISLE.N", "ISLE.N"]);
/// ```
pub fn whole_of(code: &str) -> &str {
    let mut whole = code;
    while let Some(shorter) = whole.strip_suffix(".1").or_else(|| whole.strip_suffix(".2")) {
        whole = shorter;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_two_to_eight_letters_digits_and_dots() {
        for code in ["PA", "PAR", "BURGUNDY", "C0307", "ISLE.N", "A.1.B", "N.10", "BUR.3"] {
            assert_eq!(fault(code), None, "{code}");
        }
        for code in
            ["", "P", "BURGUNDY1", "1PAR", ".PAR", "PAR.", "PA R", "PAR/NC", "PAR#2", "ÄGY", "par", "PA-R"]
        {
            let said = fault(code).expect("refused");
            assert!(said.starts_with(&format!("`{code}` is not a province code; one has 2 to 8 ")), "{said}");
        }
    }

    #[test]
    fn a_code_that_a_half_could_have_is_refused() {
        for code in ["BUR.1", "BUR.2", "BUR.2.1", "BUR.A.1"] {
            let said = fault(code).expect("refused");
            assert!(said.starts_with(&format!("`{code}` would be taken for a half of `BUR")), "{said}");
        }
    }
}
