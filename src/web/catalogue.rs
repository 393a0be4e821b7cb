//! The problems as they are served at present. Each can be read again from its files while the contest runs; until that is
//! done nothing is judged at it, so that no submission meets half of the old tests and half of the new ones. Never looks
//! at files itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::web::app::ServedProblem;
use crate::worker::Grounds;

/// Reads a problem from its files; in words for staff, with every mistake, where that cannot be.
type Load = dyn Fn(&str) -> Result<ServedProblem, String> + Send + Sync;

/// How often it is looked whether the last judging by the old tests has ended.
const LOOK: Duration = Duration::from_millis(50);

/// A problem in it.
struct Place {
    served: Arc<ServedProblem>,
    is_being_read: bool,
}

/// Every problem of the contest, by slug.
pub struct Catalogue {
    places: Mutex<BTreeMap<String, Place>>,
    has_changed: Condvar,
    load: Box<Load>,
}

/// Why a problem was not read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotRead {
    /// There is none of that name.
    Unknown,
    /// Somebody else has it read at this moment.
    Busy,
    /// It has mistakes, or its tests cannot be made: what was served before is still served.
    Wrong(String),
}

impl Catalogue {
    /// A catalogue of `problems`, which `load` reads again.
    pub fn new(
        problems: BTreeMap<String, Arc<ServedProblem>>,
        load: impl Fn(&str) -> Result<ServedProblem, String> + Send + Sync + 'static,
    ) -> Self {
        let place = |served| Place { served, is_being_read: false };
        Self {
            places: Mutex::new(problems.into_iter().map(|(slug, served)| (slug, place(served))).collect()),
            has_changed: Condvar::new(),
            load: Box::new(load),
        }
    }

    /// The problem as it is now.
    pub(crate) fn problem(&self, slug: &str) -> Option<Arc<ServedProblem>> {
        self.places().get(slug).map(|place| Arc::clone(&place.served))
    }

    /// What to judge on. While the problem is being read this waits; as long as somebody has what it gives, the problem is
    /// not read.
    pub fn grounds(&self, slug: &str) -> Option<Arc<Grounds>> {
        let is_being_read =
            |places: &mut BTreeMap<String, Place>| places.get(slug).is_some_and(|place| place.is_being_read);
        let places =
            self.has_changed.wait_while(self.places(), is_being_read).unwrap_or_else(PoisonError::into_inner);
        places.get(slug).map(|place| Arc::clone(&place.served.grounds))
    }

    /// Reads a problem from its files again, once nothing is being judged at it.
    pub(crate) fn read_again(&self, slug: &str) -> Result<(), NotRead> {
        let reading = self.begin(slug)?;
        while self.places().get(slug).is_some_and(|place| Arc::strong_count(&place.served.grounds) > 1) {
            std::thread::sleep(LOOK);
        }
        let read = (self.load)(slug).map_err(NotRead::Wrong)?;
        if let Some(place) = self.places().get_mut(slug) {
            place.served = Arc::new(read);
        }
        drop(reading);
        Ok(())
    }

    fn begin<'a>(&'a self, slug: &'a str) -> Result<Reading<'a>, NotRead> {
        let mut places = self.places();
        let place = places.get_mut(slug).ok_or(NotRead::Unknown)?;
        if place.is_being_read {
            return Err(NotRead::Busy);
        }
        place.is_being_read = true;
        Ok(Reading { catalogue: self, slug })
    }

    // Places are changed whole.
    fn places(&self) -> MutexGuard<'_, BTreeMap<String, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// That a problem is being read; over when dropped, whatever came of it.
struct Reading<'a> {
    catalogue: &'a Catalogue,
    slug: &'a str,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        if let Some(place) = self.catalogue.places().get_mut(self.slug) {
            place.is_being_read = false;
        }
        self.catalogue.has_changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::grade::TestSet;
    use crate::package::Package;

    fn served(title: &str) -> ServedProblem {
        let text = "format = 1\ntitle = { en = \"T\" }\n[limits]\ntime = \"1s\"\nmemory = \"256MiB\"\n[size]\n\
            n = { min = 1, max = 5 }\n[[input]]\nname = \"a\"\ntype = \"array\"\nlen = \"n\"\n\
            item = { type = \"int\", min = 1, max = 3 }\n[answer]\nsolver = \"stone-game-iii\"\n";
        let problem = crate::problem::parse("a", &text.replace("\"T\"", &format!("\"{title}\""))).0.unwrap();
        let tests = TestSet::new(Package { problem: None, tests: Vec::new(), notes: Vec::new() });
        let grounds = Grounds { problem, tests, jury: None, answers: None, stops_at_first_failure: false };
        ServedProblem {
            grounds: Arc::new(grounds),
            statements: Vec::new(),
            samples: Vec::new(),
            starters: Vec::new(),
        }
    }

    fn title(grounds: &Grounds) -> &str {
        &grounds.problem.titles[0].1
    }

    #[test]
    fn a_problem_is_read_between_two_judgings_and_never_during_one() {
        let (began, begins) = mpsc::channel();
        let old = BTreeMap::from([("a".to_owned(), Arc::new(served("old")))]);
        let catalogue = Arc::new(Catalogue::new(old, move |_| {
            began.send(()).unwrap();
            Ok(served("new"))
        }));
        let judging = catalogue.grounds("a").unwrap();
        let reader = Arc::clone(&catalogue);
        let reading = std::thread::spawn(move || reader.read_again("a"));
        // The next one waits for the new tests, and whoever wants it read once more is told.
        while !catalogue.places()["a"].is_being_read {
            std::thread::yield_now();
        }
        assert_eq!(catalogue.read_again("a"), Err(NotRead::Busy));
        let next = Arc::clone(&catalogue);
        let next = std::thread::spawn(move || title(&next.grounds("a").unwrap()).to_owned());
        assert_eq!((title(&judging), begins.try_recv()), ("old", Err(mpsc::TryRecvError::Empty)));
        drop(judging);
        assert_eq!(reading.join().unwrap(), Ok(()));
        assert_eq!(next.join().unwrap(), "new");
    }

    #[test]
    fn what_has_mistakes_changes_nothing() {
        let old = BTreeMap::from([("a".to_owned(), Arc::new(served("old")))]);
        let catalogue = Catalogue::new(old, |_| Err("line 3: no such key".to_owned()));
        assert_eq!(catalogue.read_again("a"), Err(NotRead::Wrong("line 3: no such key".to_owned())));
        assert_eq!(catalogue.read_again("b"), Err(NotRead::Unknown));
        assert_eq!(title(&catalogue.grounds("a").unwrap()), "old");
    }
}
