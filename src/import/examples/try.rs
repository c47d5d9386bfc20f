//! Scratch.
use upheaval_import::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let hints = match args.get(2) {
        Some(h) => Hints::parse(h, &std::fs::read_to_string(h).unwrap()).unwrap(),
        None => Hints::default(),
    };
    let folder = std::path::Path::new(&args[1]).parent().unwrap().to_owned();
    let inc = |n: &str| std::fs::read_to_string(folder.join(n)).map_err(|e| e.to_string());
    let t = std::time::Instant::now();
    match import(&Source {
        file: &args[1],
        text: &text,
        format: None,
        includes: &inc,
        hints: &hints,
        hint_file: "h",
    }) {
        Ok(i) => {
            for n in &i.notes {
                if !matches!(n, Note::Units { .. }) {
                    eprintln!("{n}");
                }
            }
            eprintln!("{:?}", t.elapsed());
            print!("{}", i.map.to_text());
        }
        Err(e) => eprintln!("error: {e}"),
    }
}
