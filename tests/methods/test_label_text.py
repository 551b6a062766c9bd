import pytest

from actalike import ActalikeError, EventLog, LabelTextEmbedder, embed
from actalike.methods.label_text import MODEL_VARIABLE

LOG = EventLog.from_traces([["Check invoice", "Inspect the invoice", "Pay", "Send money"]])


@pytest.fixture(scope="module")
def small_model(tmp_path_factory):
    """A sentence model made on the spot: a word table of two dimensions, averaged."""
    import numpy as np
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = {"[UNK]": 0, "Check": 1, "Inspect": 2, "the": 3, "invoice": 4, "Pay": 5, "Send": 6, "money": 7}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    table = np.array([[0, 0], [1, 0], [1, 0], [0, 0], [1, 0.1], [0, 1], [0, 1], [0, 1]], dtype=np.float32)
    folder = tmp_path_factory.mktemp("model")
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=table)], device="cpu").save(str(folder))
    return folder


def test_labels_that_mean_the_same_are_alike():
    embedding = embed(LOG, "label-text")
    assert embedding.vectors.shape == (4, 384)
    assert embedding.most_similar("Check invoice", topn=1)[0][0] == "Inspect the invoice"
    assert embedding.most_similar("Pay", topn=1)[0][0] == "Send money"


def test_a_model_from_a_folder(small_model, monkeypatch):
    embedding = LabelTextEmbedder(str(small_model)).fit(LOG).embedding_
    assert embedding.vectors.shape == (4, 2)
    assert embedding.similarity("Pay", "Send money") == pytest.approx(1)
    monkeypatch.setenv(MODEL_VARIABLE, str(small_model))
    assert (embed(LOG, "label-text").vectors == embedding.vectors).all()


def test_nothing_is_printed(capfd):
    embed(LOG, "label-text")
    assert capfd.readouterr() == ("", "")


def test_what_is_no_model_is_an_error(tmp_path):
    with pytest.raises(ActalikeError, match="installed"):
        LabelTextEmbedder("no_such_package").fit(LOG)
    with pytest.raises(ActalikeError, match="modules"):
        LabelTextEmbedder(str(tmp_path)).fit(LOG)
    with pytest.raises(ActalikeError, match="modules"):
        LabelTextEmbedder("rich").fit(LOG)
    with pytest.raises(ActalikeError, match="installed"):
        LabelTextEmbedder("__main__").fit(LOG)
    (tmp_path / "modules.json").write_text("{")
    with pytest.raises(ActalikeError, match="loaded"):
        LabelTextEmbedder(str(tmp_path)).fit(LOG)


def test_pickled_weights_are_refused(small_model, tmp_path):
    """A model whose weights are a pickle could run code when it is opened."""
    import shutil

    folder = tmp_path / "pickled"
    shutil.copytree(small_model, folder)
    (weights,) = folder.rglob("*.safetensors")
    evil = b"cos\nsystem\n(S'touch " + str(tmp_path / "ran").encode() + b"'\ntR."
    weights.with_name("pytorch_model.bin").write_bytes(evil)
    weights.unlink()
    with pytest.raises(ActalikeError, match="pickle"):
        LabelTextEmbedder(folder).fit(LOG)
    assert not (tmp_path / "ran").exists()
