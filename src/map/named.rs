//! Enums whose variants have names in tables and files.

/// Defines an enum that can be copied and compared, the list of its variants, and their names.
///
/// ```
/// upheaval_map::named! {
///     /// A colour.
///     pub enum Colour {
///         /// As blood.
///         Red = "red",
///         /// As the sky.
///         Blue = "blue",
///     }
/// }
/// assert_eq!(Colour::ALL.map(Colour::name), ["red", "blue"]);
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $Kind:ident { $($(#[$of:meta])* $Variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis enum $Kind {
            $($(#[$of])* $Variant,)*
        }

        impl $Kind {
            /// All of them, in the order of tables.
            $vis const ALL: [$Kind; [$($name),*].len()] = [$($Kind::$Variant),*];

            /// Their names.
            $vis const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name in tables and files.
            $vis const fn name(self) -> &'static str {
                $Kind::NAMES[self as usize]
            }
        }
    };
}
