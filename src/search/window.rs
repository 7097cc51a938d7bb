//! Games that are examined together.

use super::games::{Reach, ReadGames};
use crate::board::columns::LANES;

/// Successive games of a batch with a single position each, which wait until they fill the sixteen lanes of a block. Each search then tests all of
/// them together.
pub(super) struct Window<Game> {
    slots: Vec<Slot<Game>>,
    /// The number of slots with a waiting game.
    filled: usize,
    /// Whether games may wait at all.
    may_wait: bool,
    /// The complete game, for games that do not wait.
    pub(super) whole: Whole<Game>,
}

/// A game that waits.
#[derive(Default)]
pub(super) struct Slot<Game> {
    pub(super) game: Game,
    pub(super) seen: Seen,
    pub(super) whole: Whole<Game>,
}

impl<Game> Slot<Game> {
    /// Returns whether the game can be read and has no warnings and no variations, which a search would have to report even if it does not match.
    pub(super) fn is_quiet<R: ReadGames<Game = Game>>(&self) -> bool {
        matches!(self.seen.reach, Reach::Moves | Reach::Head)
            && R::warnings(&self.game).is_empty()
            && !R::has_variations(&self.game)
    }
}

/// What is known about a game besides the game itself.
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

/// The number of games that are examined together: each has a lane.
const GAMES: usize = LANES;

impl<Game: Default> Window<Game> {
    /// Creates an empty window. No game waits unless `may_wait`.
    pub(super) fn of(may_wait: bool) -> Window<Game> {
        Window {
            slots: Vec::new(),
            filled: 0,
            may_wait,
            whole: Whole::default(),
        }
    }

    /// Returns whether the window takes a game; `is_lone` says that it has a single position.
    pub(super) fn takes(&self, is_lone: bool) -> bool {
        self.may_wait && is_lone
    }

    /// Returns the place of the next game.
    pub(super) fn place(&self) -> usize {
        self.filled
    }

    /// Swaps `game` into the window and leaves a spare one in its place. Returns whether the window is full.
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

    /// Empties the window and returns the games that waited.
    pub(super) fn take(&mut self) -> &mut [Slot<Game>] {
        let filled = std::mem::take(&mut self.filled);
        self.slots.get_mut(..filled).unwrap_or_default()
    }
}

/// The complete version of a game, once it is needed.
pub(super) struct Whole<Game> {
    known: WholeState,
    /// The complete game, if it is not the examined game itself; otherwise a game whose memory can be reused.
    game: Option<Game>,
}

/// Whether the complete game is known, and where it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WholeState {
    Not,
    /// The examined game is complete itself.
    InPlace,
    /// The complete game is a separate one.
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
    /// Starts with another game.
    pub(super) fn begin(&mut self) {
        self.known = WholeState::Not;
    }

    /// Returns the complete version of `game`: `game` itself if `complete` can add what is missing, otherwise the game that `read` returns. `read`
    /// gets an earlier game whose memory it can reuse. Each is called at most once for a game.
    ///
    /// # Errors
    /// Returns the errors of `complete` and `read`.
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

    /// Forgets the separate game if it takes much memory.
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
    fn positions_that_stand_alone_wait_until_there_are_enough() {
        let mut window: Window<String> = Window::of(true);
        assert!(window.takes(true) && !window.takes(false));
        assert!(!Window::<String>::of(false).takes(true));
        for round in 0..3 {
            for place in 0..GAMES {
                assert_eq!(window.place(), place);
                let mut game = format!("{round}, {place}");
                assert_eq!(window.push(&mut game, seen(place)), place + 1 == GAMES);
                // The next game is read into the memory of one that is finished.
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

    /// Asks for a complete game that is separate from the examined one.
    fn apart(whole: &mut Whole<String>, read: impl FnOnce(Option<String>) -> Result<String, ()>) -> String {
        let mut game = String::from("examined");
        whole.of(&mut game, |_| Ok(false), read).unwrap().clone()
    }

    #[test]
    fn a_whole_game_is_read_once_for_each_game_that_waits() {
        let mut window: Window<String> = Window::of(true);
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
