"""The papers that lessons and claims cite: (Wang and Isola, 2020), Grill et al. (2020); and reports."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlencode


class Paper(NamedTuple):
    """A paper: its authors by their family names, in order; where it first appeared in this form.

    letter: distinguishes papers of the same authors and year, as in 2020a.
    """

    authors: tuple[str, ...]
    year: int
    title: str
    where: str
    letter: str = ""

    @property
    def dated(self) -> str:
        """Return year and letter, as citations print them."""
        return f"{self.year}{self.letter}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its authors that a text may use."""
        *others, last = self.authors
        full = f"{', '.join(others)} and {last}" if others else last
        return (full, f"{self.authors[0]} et al.") if len(self.authors) > 2 else (full,)

    @property
    def anchor(self) -> str:
        """The unique anchor of its entry on a page."""
        return re.sub(r"\W+", "-", f"{'-'.join(self.authors[:2])}-{self.dated}".lower())

    @property
    def address(self) -> str:
        """Return its address on arXiv, or a search for its title."""
        if self.where.startswith("arXiv:"):
            return f"https://arxiv.org/abs/{self.where.removeprefix('arXiv:')}"
        query = urlencode({"q": f'"{self.title}" {self.authors[0]}'})
        return f"https://scholar.google.com/scholar?{query}"


# authors, year, title, where it appeared; between them two blanks
_ROWS = """\
Albert, Anderson  1984  On the existence of maximum likelihood estimates in logistic regression models  Biometrika 71
Arora, Khandeparkar, Khodak, Plevrakis, Saunshi  2019  A theoretical analysis of contrastive unsupervised representation learning  ICML
Bangachev, Bresler, Noman, Polyanskiy  2025  Global minimizers of sigmoid contrastive loss  NeurIPS
Bardes, Ponce, LeCun  2022  VICReg: variance-invariance-covariance regularization for self-supervised learning  ICLR
Belghazi, Baratin, Rajeshwar, Ozair, Bengio, Courville, Hjelm  2018  Mutual information neural estimation  ICML
Benedetto, Fickus  2003  Finite normalized tight frames  Advances in Computational Mathematics 18
Blanchard, Higham, Higham  2021  Accurately computing the log-sum-exp and softmax functions  IMA Journal of Numerical Analysis 41
Bridle  1990  Probabilistic interpretation of feedforward classification network outputs, with relationships to statistical pattern recognition  Neurocomputing, Springer
Chen, Kornblith, Norouzi, Hinton  2020  A simple framework for contrastive learning of visual representations  ICML
Chen, Fan, Girshick, He  2020  Improved baselines with momentum contrastive learning  arXiv:2003.04297
Chen, He  2021  Exploring simple Siamese representation learning  CVPR
Chen, Xie, He  2021  An empirical study of training self-supervised vision transformers  ICCV
Cheng, Zhang, Li, Leng, Hu, Wu, Zhao, Li, Bing  2024  Breaking the memory barrier: near infinite batch size scaling for contrastive loss  arXiv:2410.17243
Chuang, Robinson, Lin, Torralba, Jegelka  2020  Debiased contrastive learning  NeurIPS
Donsker, Varadhan  1983  Asymptotic evaluation of certain Markov process expectations for large time, IV  Communications on Pure and Applied Mathematics 36
Feeney, Hughes  2023  SINCERE: supervised information noise-contrastive estimation revisited  arXiv:2309.14277
Gao, Zhang, Han, Callan  2021  Scaling deep contrastive learning batch size under memory limited setup  RepL4NLP
Graf, Hofer, Niethammer, Kwitt  2021  Dissecting supervised contrastive learning  ICML
Grill, Strub, Altché, Tallec, Richemond, Buchatskaya, Doersch, Avila Pires, Guo, Gheshlaghi Azar, Piot, Kavukcuoglu, Munos, Valko  2020  Bootstrap your own latent: a new approach to self-supervised learning  NeurIPS
Gutmann, Hyvärinen  2010  Noise-contrastive estimation: a new estimation principle for unnormalized statistical models  AISTATS
HaoChen, Wei, Gaidon, Ma  2021  Provable guarantees for self-supervised deep learning with spectral contrastive loss  NeurIPS
He, Zhang, Zhang, Zhang, Xie, Li  2019  Bag of tricks for image classification with convolutional neural networks  CVPR
He, Fan, Wu, Xie, Girshick  2020  Momentum contrast for unsupervised visual representation learning  CVPR
Hill  1973  Diversity and evenness: a unifying notation and its consequences  Ecology 54
Hinton, Vinyals, Dean  2015  Distilling the knowledge in a neural network  arXiv:1503.02531
Jeong, Hero  2025  Generalizing supervised contrastive learning: a projection perspective  arXiv:2506.09810
Jing, Vincent, LeCun, Tian  2022  Understanding dimensional collapse in contrastive self-supervised learning  ICLR
Khosla, Teterwak, Wang, Sarna, Tian, Isola, Maschinot, Liu, Krishnan  2020  Supervised contrastive learning  NeurIPS
Koleilat, Asgariandehkordi, Rivaz, Xiao  2024  MedCLIP-SAM: bridging text and image towards universal medical image segmentation  MICCAI
Koromilas, Bouritsas, Giannakopoulos, Nicolaou, Panagakis  2024  Bridging mini-batch and asymptotic analysis in contrastive learning: from InfoNCE to kernel-based losses  ICML
Lee, Chang, Sohn  2024  Analysis of using sigmoid loss for contrastive learning  AISTATS
Liang, Zhang, Kwon, Yeung, Zou  2022  Mind the gap: understanding the modality gap in multi-modal contrastive representation learning  NeurIPS
Ma, Collins  2018  Noise contrastive estimation and negative sampling for conditional models: consistency and statistical efficiency  EMNLP
McAllester, Stratos  2020  Formal limitations on the measurement of mutual information  AISTATS
Musgrave, Belongie, Lim  2020  PyTorch metric learning  arXiv:2008.09164
Müller, Kornblith, Hinton  2019  When does label smoothing help?  NeurIPS
Nguyen, Wainwright, Jordan  2010  Estimating divergence functionals and the likelihood ratio by convex risk minimization  IEEE Transactions on Information Theory 56
Nozawa, Sato  2021  Understanding negative samples in instance discriminative self-supervised representation learning  NeurIPS
Nowozin  2018  Debiasing evidence approximations: on importance-weighted autoencoders and jackknife variational inference  ICLR
van den Oord, Li, Vinyals  2018  Representation learning with contrastive predictive coding  arXiv:1807.03748
Poole, Ozair, van den Oord, Alemi, Tucker  2019  On variational bounds of mutual information  ICML
Radenovic, Dubey, Kadian, Mihaylov, Vandenhende, Patel, Wen, Ramanathan, Mahajan  2023  Filtering, distillation, and hard negatives for vision-language pre-training  CVPR
Radford, Kim, Hallacy, Ramesh, Goh, Agarwal, Sastry, Askell, Mishkin, Clark, Krueger, Sutskever  2021  Learning transferable visual models from natural language supervision  ICML
Richemond, Grill, Altché, Tallec, Strub, Brock, Smith, De, Pascanu, Piot, Valko  2020  BYOL works even without batch statistics  arXiv:2010.10241
Robinson, Chuang, Sra, Jegelka  2021  Contrastive learning with hard negative samples  ICLR
Schroff, Kalenichenko, Philbin  2015  FaceNet: a unified embedding for face recognition and clustering  CVPR
Sohn  2016  Improved deep metric learning with multi-class N-pair loss objective  NeurIPS
Song, Ermon  2020a  Understanding the limitations of variational mutual information estimators  ICLR
Song, Ermon  2020b  Multi-label contrastive predictive coding  NeurIPS
Szegedy, Vanhoucke, Ioffe, Shlens, Wojna  2016  Rethinking the Inception architecture for computer vision  CVPR
Tian, Chen, Ganguli  2021  Understanding self-supervised learning dynamics without contrastive pairs  ICML
Tschannen, Djolonga, Rubenstein, Gelly, Lucic  2020  On mutual information maximization for representation learning  ICLR
Vock, Duchesnay, Dufumier  2026  A unified geometric framework for weighted contrastive learning  arXiv:2605.13943
Wang, Isola  2020  Understanding contrastive representation learning through alignment and uniformity on the hypersphere  ICML
Wang, Liu  2021  Understanding the behaviour of contrastive loss  CVPR
Wang, Xiang, Cheng, Yuille  2017  NormFace: L2 hypersphere embedding for face verification  ACM Multimedia
Wang, Zhang, Huang, Scott  2020  Cross-batch memory for embedding learning  CVPR
Welch  1974  Lower bounds on the maximum cross correlation of signals  IEEE Transactions on Information Theory 20
Wu, Xiong, Yu, Lin  2018  Unsupervised feature learning via non-parametric instance discrimination  CVPR
Wu, Zhuang, Mosse, Yamins, Goodman  2020  On mutual information in contrastive learning for visual representations  arXiv:2005.13149
Yaras, Chen, Wang, Qu  2024  Explaining and mitigating the modality gap in contrastive multimodal learning  arXiv:2412.07909
Yeh, Hong, Hsu, Liu, Chen, LeCun  2022  Decoupled contrastive learning  ECCV
Zbontar, Jing, Misra, LeCun, Deny  2021  Barlow Twins: self-supervised learning via redundancy reduction  ICML
Zhai, Mustafa, Kolesnikov, Beyer  2023  Sigmoid loss for language image pre-training  ICCV
Zhang, Jiang, Miura, Manning, Langlotz  2020  Contrastive learning of medical visual representations from paired images and text  arXiv:2010.00747
"""  # noqa: E501


def _read(line: str) -> Paper:
    authors, dated, title, where = re.split(" {2,}", line)
    return Paper(tuple(authors.split(", ")), int(dated[:4]), title, where, dated[4:])


PAPERS = tuple(map(_read, _ROWS.splitlines()))

_AUTHOR = r"(?:van den )?[A-Z][\w’-]+"
_YEAR = r"(?:19|20)\d\d[a-z]?"
_CITED = re.compile(rf"({_AUTHOR}(?:(?:, | and ){_AUTHOR})*(?: et al\.)?),? (?:\(({_YEAR})\)|({_YEAR})\b)")


class Citation(NamedTuple):
    """The citation's text, and the paper; None if no paper has that name."""

    words: str
    paper: Paper | None


def find_citations(text: str) -> Iterator[Citation]:
    """The citations of a text, in order."""
    return map(_citation, _CITED.finditer(text))


def link(text: str, page: str) -> str:
    """HTML with each citation linked to the paper's entry on that page."""

    def link(found: re.Match[str]) -> str:
        words, paper = _citation(found)
        if not paper:
            return found[0]
        return f"{found[0].removesuffix(words)}<a href='{page}#{paper.anchor}'>{words}</a>"

    return _CITED.sub(link, text)


def _citation(found: re.Match[str]) -> Citation:
    called, dated = found[1], found[2] or found[3]
    # in "InfoNCE, Radenovic et al. (2023)" InfoNCE is not an author; if an author has two papers of a year,
    # one with others, "et al." means that one first
    names = [(name, p) for p in PAPERS if p.dated == dated for name in p.names if called.endswith(name)]
    if not names:
        return Citation(found[0], None)
    name, paper = max(names, key=lambda each: len(each[0]))
    return Citation(found[0][called.rindex(name) :], paper)


# The repositories, named as in the links of the public bugs; a test compares the two lists.
REPOSITORIES = (
    "Yunfan-Li/Contrastive-Clustering",
    "google-research/simclr",
    "huggingface/sentence-transformers",
    "mlfoundations/open_clip",
    "vturrisi/solo-learn",
)
_OWNERS = {name.partition("/")[2]: name for name in REPOSITORIES}
_REPORT = re.compile(rf"\b(issue|request) (\d+) of ({'|'.join(map(re.escape, _OWNERS))})\b")


def link_reports(html: str) -> str:
    """Return the HTML with each report such as "issue 616 of open_clip" linked."""

    def link(found: re.Match[str]) -> str:
        kind = "issues" if found[1] == "issue" else "pull"
        address = f"https://github.com/{_OWNERS[found[3]]}/{kind}/{found[2]}"
        return f"<a href='{address}'>{found[1]} {found[2]}</a> of {found[3]}"

    return _REPORT.sub(link, html)
