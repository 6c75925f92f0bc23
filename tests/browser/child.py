"""A child at the browser, who sees only the page and knows the rules."""

import re
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from games.engine.cards import JOKERS, Card, card_text, laid_card_text, mask_of
from games.engine.play_application import Position
from games.engine.plays import legal_plays
from games.engine.ruleset import Ruleset
from games.engine.table import Play
from games.engine.text.notation import parse_card, parse_table


@dataclass
class ChildAtTheTable:
    """A child who uses only the page. `did` counts their acts."""

    page: Page
    ruleset: Ruleset
    opened: bool = False
    did: dict[str, int] = field(default_factory=dict)

    def offered(self, move: str) -> bool:
        """Whether there is an enabled button for this move."""
        return bool(self.page.locator(f"[name=move][value={move}]:not([aria-disabled])").count())

    def hand(self) -> tuple[Card, ...]:
        values = self.page.locator("input[name=card]").evaluate_all("e => e.map(i => i.value)")
        return tuple(parse_card(value, self.ruleset) for value in values)

    def plays(self, *extra: Card) -> list[Play]:
        """The possible plays: additions to the table first, jokers last. `extra` cards count as
        cards of the hand."""
        rows = self.page.locator("input[name=row]").evaluate_all("e => e.map(i => i.value)")
        table = parse_table(rows, self.ruleset)
        position = Position(self.ruleset, table, mask_of((*self.hand(), *extra)), self.opened)
        return sorted(
            legal_plays(position), key=lambda p: (len(p.swaps), not p.touches_table, str(p))
        )

    def is_over(self) -> bool:
        return self.page.locator(".over").count() > 0

    def click(self, target: Locator) -> None:
        target.click()

    def press(self, move: str) -> None:
        """Press a button and wait until the board has answered."""
        version = self.page.locator("input[name=seen]").input_value()
        self.click(self.page.locator(f"[name=move][value={move}]"))
        expect(self.page.locator("input[name=seen]")).not_to_have_value(version)
        self.did[move] = self.did.get(move, 0) + 1

    def is_chosen(self, name: str, value: str) -> bool:
        return self.page.locator(f"input[name={name}][value='{value}']").is_checked()

    def tap(self, name: str, value: str) -> None:
        """Tap a drawn card or the tag of a row. If the cards of the table are small, the first tap
        only looks closer."""
        box = self.page.locator(f"input[name={name}][value='{value}']")
        before = box.is_checked()
        self.click(self.page.locator(f"label:has(input[name={name}][value='{value}'])"))
        if box.is_checked() == before:
            self.click(self.page.locator(f"label:has(input[name={name}][value='{value}'])"))

    def lay(self, play: Play) -> None:
        """Tap the cards and the places, lay, and answer which row is meant if the page asks."""
        hand_cards = [card for card, _ in play.hand if card not in {s.card for s in play.swaps}]
        for card in [*hand_cards, *(swap.number for swap in play.swaps)]:
            if not self.is_chosen("card", card_text(card)):
                self.tap("card", card_text(card))
        for line in play.lines:
            self.tap("row", str(line))
        for table_card in (*play.across, *play.swaps):
            self.tap("cross", laid_card_text(table_card))
        version = self.page.locator("input[name=seen]").input_value()
        self.press_lay()
        expect(
            self.page.locator(f"input[name=seen]:not([value='{version}']), button[name=play]").first
        ).to_be_attached()
        choices = self.page.locator("button[name=play]").evaluate_all("e => e.map(b => b.value)")
        if choices:
            self.answer(str(play) if str(play) in choices else choices[0])
            expect(self.page.locator("input[name=seen]")).not_to_have_value(version)
        self.opened = self.opened or not play.touches_table
        kind = "added" if play.lines else "crossed" if play.across else "laid"
        self.did[kind] = self.did.get(kind, 0) + 1

    def may_lay(self) -> bool:
        return self.page.locator("#do-lay").count() > 0

    def press_lay(self) -> None:
        self.click(self.page.locator("#do-lay"))

    def answer(self, choice: str) -> None:
        """Answer which row is meant."""
        self.click(self.page.locator(f"button[name=play][value='{choice}']"))

    def next_move(self) -> None:
        """Do what the page asks: answer, take a card, or lay everything possible and end the
        turn."""
        for answer in ("claim", "knock"):
            if self.offered(answer):
                self.press(answer if self.plays(*self.lying_open()) else "pass")
                return
        if self.offered("draw-closed"):
            wants_open_card = self.offered("draw-open") and self.plays(*self.lying_open())
            self.press("draw-open" if wants_open_card else "draw-closed")
            return
        self.lay_and_end()

    def lying_open(self) -> tuple[Card, ...]:
        """The open card, or the block on offer, by its name. A joker is any of its possible
        names."""
        open_card = self.page.locator(".piles [aria-label]:not(input)").last
        name = open_card.get_attribute("aria-label") or ""
        number = re.search("[0-9]+", name)
        return (int(number.group()) if number else JOKERS[0],)

    def play_turn(self) -> None:
        """Draw a card, lay everything possible, discard."""
        self.press("draw-closed")
        self.lay_and_end()

    def lay_and_end(self) -> None:
        """Lay everything possible and discard. If the last card is laid, the turn has ended
        already."""
        while (plays := self.plays()) and self.may_lay():
            self.lay(plays[0])
        if not self.may_lay():
            return
        if self.offered("end") and not self.did.get("end"):
            self.press("end")
        else:
            self.put_down(self.hand()[0])

    def put_down(self, card: Card) -> None:
        self.page.locator("input[name=card]").first.wait_for(state="attached")
        self.tap("card", card_text(card))
        self.press("discard")
