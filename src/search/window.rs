//! Games that are examined together.

use super::games::{Reach, ReadGames};
use crate::board::columns::LANES;

/// Successive games of a batch that wait until there are enough of them.
///
/// Each search goes from one of them to the next with all that it needs at hand. To go from search to search with each game takes longer
/// where there are many.
pub(super) struct Window<Game> {
    slots: Vec<Slot<Game>>,
    /// How many of them have a game that waits.
    filled: usize,
    takes: Takes,
    /// Of games that do not wait.
    pub(super) whole: Whole<Game>,
}

/// Which games wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Takes {
    Nothing,
    /// Those with one position, which fills one of sixteen lanes.
    Lone,
    All,
}

/// A game that waits.
#[derive(Default)]
pub(super) struct Slot<Game> {
    pub(super) game: Game,
    pub(super) seen: Seen,
    pub(super) whole: Whole<Game>,
}

impl<Game> Slot<Game> {
    /// Whether its game can be read and has nothing of which a search has to tell whether it matches or not: no warnings and no variations.
    pub(super) fn is_quiet<R: ReadGames<Game = Game>>(&self) -> bool {
        matches!(self.seen.reach, Reach::Moves | Reach::Head)
            && R::warnings(&self.game).is_empty()
            && !R::has_variations(&self.game)
    }
}

/// What is known of a game beside itself.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// Its index in the batch.
    pub(super) index: usize,
    pub(super) reach: Reach,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            index: 0,
            reach: Reach::Nothing,
        }
    }
}

/// From this many searches on, all games are examined together.
const SEARCHES: usize = 4;

/// This many games are: each has a lane.
const GAMES: usize = LANES;

impl<Game: Default> Window<Game> {
    /// For so many searches that see the same of each game; none waits unless they `may_wait`.
    pub(super) fn of(searches: usize, may_wait: bool) -> Window<Game> {
        Window {
            slots: Vec::new(),
            filled: 0,
            takes: match searches {
                _ if !may_wait => Takes::Nothing,
                SEARCHES.. => Takes::All,
                _ => Takes::Lone,
            },
            whole: Whole::default(),
        }
    }

    /// Whether a game waits that has one position, or more.
    pub(super) fn takes(&self, is_lone: bool) -> bool {
        self.takes == Takes::All || is_lone && self.takes == Takes::Lone
    }

    /// The place of the next game.
    pub(super) fn place(&self) -> usize {
        self.filled
    }

    /// Has a game wait, and gives another one for it; whether there are enough now.
    pub(super) fn push(&mut self, game: &mut Game, seen: Seen) -> bool {
        if self.filled == self.slots.len() {
            self.slots.push(Slot::default());
        }
        if let Some(slot) = self.slots.get_mut(self.filled) {
            std::mem::swap(game, &mut slot.game);
            slot.seen = seen;
            slot.whole.begin();
            self.filled += 1;
        }
        self.filled >= GAMES
    }

    /// The games that wait, which do so no longer.
    pub(super) fn take(&mut self) -> &mut [Slot<Game>] {
        let filled = std::mem::take(&mut self.filled);
        self.slots.get_mut(..filled).unwrap_or_default()
    }
}

/// A game with all that is in it, once someone has needed it.
pub(super) struct Whole<Game> {
    known: WholeState,
    /// It, where it is another one than the game that is being examined; else its memory may be used for that.
    game: Option<Game>,
}

/// Whether someone has needed all that is in a game, and where that is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WholeState {
    Not,
    /// In the game that is being examined itself.
    InPlace,
    /// In another one.
    Apart,
}

impl<Game> Default for Whole<Game> {
    fn default() -> Whole<Game> {
        Whole {
            known: WholeState::Not,
            game: None,
        }
    }
}

impl<Game> Whole<Game> {
    /// Begins with another game.
    pub(super) fn begin(&mut self) {
        self.known = WholeState::Not;
    }

    /// The game that is being examined with all that is in it: itself, if `complete` can add what is missing, and otherwise what `read`
    /// makes of the memory of an earlier one. Each is done once.
    ///
    /// # Errors
    /// Those of the two.
    pub(super) fn of<'g, E>(
        &'g mut self,
        game: &'g mut Game,
        complete: impl FnOnce(&mut Game) -> Result<bool, E>,
        read: impl FnOnce(Option<Game>) -> Result<Game, E>,
    ) -> Result<&'g Game, E> {
        if self.known == WholeState::Not && complete(game)? {
            self.known = WholeState::InPlace;
        }
        if self.known == WholeState::InPlace {
            return Ok(game);
        }
        let apart = match self.game.take() {
            Some(apart) if self.known == WholeState::Apart => apart,
            spare => read(spare)?,
        };
        self.known = WholeState::Apart;
        Ok(self.game.insert(apart))
    }

    /// Forgets a game that takes much memory.
    pub(super) fn forget_if(&mut self, is_large: impl Fn(&Game) -> bool) {
        self.game.take_if(|game| is_large(game));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(index: usize) -> Seen {
        Seen {
            index,
            reach: Reach::Moves,
        }
    }

    #[test]
    fn games_of_many_searches_wait_until_there_are_enough() {
        let mut window: Window<String> = Window::of(SEARCHES, true);
        assert!(window.takes(false) && window.takes(true));
        for round in 0..3 {
            for place in 0..GAMES {
                assert_eq!(window.place(), place);
                let mut game = format!("{round}, {place}");
                assert_eq!(window.push(&mut game, seen(place)), place + 1 == GAMES);
                // The next one is read into the memory of one that is done with.
                let spare = if round == 0 {
                    String::new()
                } else {
                    format!("{}, {place}", round - 1)
                };
                assert_eq!(game, spare);
            }
            let slots = window.take();
            assert_eq!(slots.len(), GAMES);
            for (place, slot) in slots.iter().enumerate() {
                assert_eq!((&slot.game, slot.seen.index), (&format!("{round}, {place}"), place));
            }
            assert!(window.take().is_empty());
        }
    }

    #[test]
    fn few_searches_have_nothing_wait_but_positions_that_stand_alone() {
        for searches in [0, 1, SEARCHES - 1] {
            let window = Window::<String>::of(searches, true);
            assert!(window.takes(true) && !window.takes(false), "{searches}");
        }
        assert!(!Window::<String>::of(SEARCHES, false).takes(true));
    }

    /// Asks for a whole game, which is another one than that which is examined.
    fn apart(whole: &mut Whole<String>, read: impl FnOnce(Option<String>) -> Result<String, ()>) -> String {
        let mut game = String::from("examined");
        whole.of(&mut game, |_| Ok(false), read).unwrap().clone()
    }

    #[test]
    fn a_whole_game_is_read_once_for_each_game_that_waits() {
        let mut window: Window<String> = Window::of(SEARCHES, true);
        for round in ["first", "second"] {
            window.push(&mut String::from("seen"), seen(0));
            let whole = &mut window.take()[0].whole;
            assert_eq!(apart(whole, |_| Ok(round.to_owned())), round);
            assert_eq!(apart(whole, |_| Err(())), round);
            whole.forget_if(String::is_empty);
            assert_eq!(apart(whole, |_| Err(())), round);
        }
    }

    #[test]
    fn a_game_that_is_completed_is_whole_itself() {
        let (mut whole, mut game) = (Whole::default(), String::from("moves"));
        let complete = |game: &mut String| {
            game.push_str(" and tags");
            Ok::<_, ()>(true)
        };
        for _ in 0..2 {
            assert_eq!(whole.of(&mut game, complete, |_| Err(())).unwrap(), "moves and tags");
        }
        whole.begin();
        assert_eq!(apart(&mut whole, |_| Ok("next".to_owned())), "next");
    }

    #[test]
    fn the_memory_of_a_whole_game_serves_the_next_unless_it_is_large() {
        let mut whole = Whole::default();
        let spare = |whole: &mut Whole<String>| {
            let mut spare = None;
            whole.begin();
            apart(whole, |game| {
                spare = game;
                Ok("read".to_owned())
            });
            spare
        };
        assert_eq!(spare(&mut whole), None);
        assert_eq!(spare(&mut whole).as_deref(), Some("read"));
        whole.forget_if(|_| true);
        assert_eq!(spare(&mut whole), None);
    }
}
