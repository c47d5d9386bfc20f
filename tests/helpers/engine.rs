//! Experiments of the shipped variants and bots, with the player that plays them for real.
use super::quick::kind;
use super::shipped::variant;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use upheaval::diagnostic::Source;
use upheaval::rules::variant::Variant;
use upheaval::sim::{
    BotEntry, BotOrigin, Catalogue, Experiment, LookupError, Overrides, Player, RunFolder, RunReport,
    Schedule, VariantEntry, run,
};

struct Shipped;

impl Catalogue for Shipped {
    fn variants(&self) -> Vec<String> {
        Variant::shipped().map(str::to_owned).collect()
    }

    fn variant(&self, name: &str, _: &Path) -> Result<VariantEntry, LookupError> {
        let variant = variant(name);
        Ok(VariantEntry {
            id: variant.id.clone(),
            first_year: 1901,
            content: variant.content(),
            arm: None,
            files: variant.files.clone(),
        })
    }

    fn bots(&self) -> Vec<String> {
        upheaval_bots::KINDS.iter().map(|kind| kind.name.to_owned()).collect()
    }

    fn bot(&self, name: &str, _: &Path) -> Result<BotEntry, LookupError> {
        let (content, pace) = (kind(name).version.into(), kind(name).pace);
        Ok(BotEntry { name: name.to_owned(), origin: BotOrigin::Shipped, content, pace })
    }
}

/// The experiment of this text.
pub fn experiment(text: &str, out: &Path) -> Experiment {
    let overrides = Overrides { out: Some(out.to_owned()), ..Overrides::default() };
    Experiment::check(&Source::new("e.toml", text), Path::new(""), &overrides, &Shipped).expect("sound")
}

/// What plays the games of an experiment.
pub fn player(experiment: &Experiment) -> Player {
    let variants = experiment.variants.iter().map(|entry| variant(&entry.id)).collect();
    Player::new(variants, experiment.bots.iter().map(|bot| kind(&bot.name)).collect::<Vec<_>>())
}

/// Plays an experiment into its run folder.
pub fn play(experiment: &Experiment, threads: usize) -> RunReport {
    let mut folder = RunFolder::create(experiment).expect("a free place");
    run(&Schedule::new(experiment), threads, &player(experiment), &mut folder, &()).expect("a run");
    folder.finish().expect("a run folder")
}

/// Every file of a run but the manifest, with its bytes.
pub fn files(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = testkit::files_below(run);
    files.retain(|path, _| !path.ends_with("manifest.json"));
    files
}
