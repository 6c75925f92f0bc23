"""Learning the weights of the outlook."""

from math import exp
from random import Random

import pytest

from games.bots.outlook import PACES, WEIGHTS, Pace
from scripts.lab import learn_outlook
from scripts.lab.learn_outlook import GROUPS, TrainingExample, fitted, played, training_rounds


def test_weights_by_which_rounds_were_won_are_found_again() -> None:
    random = Random(1)
    truth = {"any": -0.5, "good": 2.0, "bad": -1.0}
    examples = []
    for _ in range(4000):
        notes = [("any", 1.0), ("good", random.random()), ("bad", random.random())]
        odds = sum(truth[name] * much for name, much in notes)
        examples.append(TrainingExample(notes, float(random.random() < 1 / (1 + exp(-odds)))))
    weights_found = fitted(examples)
    for name, weight in truth.items():
        assert weights_found[name] == pytest.approx(weight, abs=0.4)


@pytest.mark.proof
@pytest.mark.parametrize("pace", PACES)
def test_all_that_is_noted_in_its_groups_has_a_weight(pace: Pace) -> None:
    for lesson in training_rounds(GROUPS[pace], 100, "noted"):
        examples = played(lesson, WEIGHTS[pace])
        for name in {name for example in examples for name, _ in example.notes}:
            assert name in WEIGHTS[pace]


def test_the_same_seed_teaches_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for _ in range(2):
        learn_outlook.main(["slow", "--rounds", "3"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert outputs[0].startswith("note,weight\n")
