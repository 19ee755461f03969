from pathlib import Path

import structce.experiments
from structce.experiments.config_toml import read_experiment

FILE = Path(structce.experiments.__file__).parent / "boilernet2020.toml"


def test_networks_of_leonhardt_et_al_are_trained_in_folds_of_sites_beside_rules():
    experiment = read_experiment(FILE)
    settings = {setting.name: setting.folds for setting in experiment.settings}
    assert settings["web2text"] == settings["web2text-unary"] == "site"
    assert settings["boilerpipe"] == settings["readability-lxml"] == ""
    assert [package.name for package in experiment.packages] == ["cleaneval", "wcxb", "fundus"]
    assert experiment.n_folds == 5
