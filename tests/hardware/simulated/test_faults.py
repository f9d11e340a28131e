"""Faults by name: between sweeps, each once."""

from hardware.reader import Absent, Present, Unknown
from hardware.simulated import virtual_node
from hardware.simulated.faults import Faults

TAG = bytes.fromhex("04A3C6CAE26180")


def test_a_dead_reader_says_unknown_and_is_itself_again_when_mended() -> None:
    node = virtual_node(["pad/1", "pad/2"])
    faults = Faults(node.chips)
    node.fields["pad/1"].place(TAG)
    assert node.sweep()["pad/1"] == Present((TAG,))
    faults.want("pad/1", "dead")
    assert node.sweep()["pad/1"] == Present((TAG,)), "nothing happens in the middle of a sweep"
    faults.settle()
    readings = node.sweep()
    assert isinstance(readings["pad/1"], Unknown)
    assert readings["pad/2"] == Absent()
    faults.want("pad/1", None)
    faults.settle()
    for _ in range(100):
        reading = node.sweep()["pad/1"]
        node.clock.sleep_us(1_000_000)
        if isinstance(reading, Present):
            break
    assert reading == Present((TAG,))
    node.close()


def test_noise_disturbs_about_half_of_all_polls_and_can_be_switched_off() -> None:
    node = virtual_node(["pad/1"])
    faults = Faults(node.chips)
    node.fields["pad/1"].place(TAG)
    faults.want("pad/1", "noise")
    faults.settle()
    polls = [node.sweep()["pad/1"] for _ in range(300)]
    assert 0.2 < sum(isinstance(reading, Unknown) for reading in polls) / 300 < 0.8
    assert all(reading.uids == (TAG,) for reading in polls if isinstance(reading, Present))
    faults.want("pad/1", None)
    faults.settle()
    assert all(isinstance(node.sweep()["pad/1"], Present) for _ in range(20))
    node.close()
