"""Output files are refused before the work if they would destroy something, and replaced in one step."""

import os
import subprocess
import sys

import numpy as np
import pytest

from infonce_ref import output


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")
    return path


class TestReplace:
    def test_a_link_stays_a_link(self, old):
        link = old.with_name("link.json")
        link.symlink_to(old)
        output.replace(link, "new")
        assert link.is_symlink()
        assert old.read_text() == "new"

    @pytest.mark.skipif(sys.platform == "win32", reason="a file has no such mode there")
    def test_the_mode_of_the_old_file_is_kept(self, old):
        old.chmod(0o640)
        output.replace(old, "new")
        assert old.stat().st_mode & 0o777 == 0o640

    def test_a_new_file_has_the_usual_mode(self, tmp_path):
        (tmp_path / "usual").write_text("")
        output.replace(tmp_path / "new", "")
        assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/null there")
    def test_a_device_is_written_to_and_stays(self):
        output.replace(output.Path("/dev/null"), "new")
        assert output.is_stream(output.Path("/dev/null"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/stdout there")
def test_standard_output_that_is_a_file_has_all_in_order(tmp_path):
    words = "print('first'); replace(Path('/dev/stdout'), 'second\\n'); print('third')"
    program = f"from infonce_ref.output import Path, replace; {words}"
    with (tmp_path / "out").open("w") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert (tmp_path / "out").read_text().split() == ["first", "second", "third"]


def test_a_read_only_file_is_refused(old, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(ValueError, match=r"^--json: .* cannot be written"):
        output.check_outputs({"--json": old})


def test_control_characters_are_escaped_in_a_terminal(refused, tmp_path):
    name = "a\x1b[2J\u202eb"
    np.savez(tmp_path / "views.npz", **{name: np.ones((4, 3)), "b": np.ones(1), "c": np.ones(1)})
    err = refused("explain", tmp_path / "views.npz")
    assert r"a\x1b[2J\u202eb" in err
    assert "\x1b" not in err


def test_harmless_text_is_not_changed():
    assert output.escape_controls("τ = 0.1,\n\t‖w‖ ≥ 𝓛") == "τ = 0.1,\n\t‖w‖ ≥ 𝓛"
