"""One to four tags of every size in one field, in thousands of random fields: all are found, each time."""

import random

import pytest

from hardware.reader import Present
from hardware.simulated.chip import CollPosCounts
from tests.hardware.rig import dice
from tests.hardware.wired import LONG, Wired

FIELDS = 10_000 if LONG else 2500


def _uid(size: int, rng: random.Random) -> bytes:
    """Every third byte is one of few, so that tags share long beginnings; 88 opens no level."""
    few = (0x04, 0x05, 0x84, 0x00, 0xFF)
    uid = bytearray(rng.choice(few) if rng.random() < 0.7 else rng.randrange(256) for _ in range(size))
    for start in (0, 3, 6):
        if start < size and uid[start] == 0x88:
            uid[start] = 0x04
    return bytes(uid)


def _near(uid: bytes, rng: random.Random) -> bytes:
    """Another tag that differs in one bit of its last four bytes, as two of one roll may."""
    at = rng.randrange(8 * (len(uid) - 3), 8 * len(uid))
    near = bytearray(uid)
    near[at // 8] ^= 1 << at % 8
    return bytes(near)


def _field(rng: random.Random) -> set[bytes]:
    count = rng.randint(1, 4)
    tags: set[bytes] = set()
    while len(tags) < count:
        if tags and rng.random() < 0.3:
            tags.add(_near(rng.choice(sorted(tags)), rng))
        else:
            tags.add(_uid(rng.choice((4, 7, 7, 10)), rng))
    return tags


@pytest.mark.timeout(900)
def test_f_158_every_tag_of_thousands_of_random_fields_is_found_however_coll_pos_counts() -> None:
    rng = dice(158)
    table = Wired()
    readers = [table.add(counts=counts) for counts in CollPosCounts]
    missed = []
    for number in range(FIELDS):
        tags = _field(rng)
        which = number % len(readers)
        table.fields[which].lay(tags)
        if readers[which].poll() != Present(tuple(sorted(tags))):
            missed.append(sorted(tag.hex() for tag in tags))

    assert missed == []
