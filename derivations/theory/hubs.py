"""CLIP's two directions: the one loss less the other measures hubs, rows or columns with more than their share."""

from ..evidence.plain import claim, given
from ..losses import clip

HUBS = given(
    "i j k l < B",
    *(clip.ROWS, clip.COLUMNS, clip.PAIR, clip.LOSS),
    "Jˡ[i,j] := e^L[i,j] / Σ_kl e^L[k,l]",
    "mʳ[i] := Σ_j Jˡ[i,j]",
    "mᶜ[j] := Σ_i Jˡ[i,j]",
    "Kʳ := (Σ_i log(1/(B mʳ[i])))/B",
    "Kᶜ := (Σ_i log(1/(B mᶜ[i])))/B",
)

claim("R23", "proved from LEMMA", HUBS)(
    checked="Take one softmax over all entries of CLIP's logits, «difference.where Jˡ». The image $i$ has the"
    " mass «difference.where mʳ» of it, the text $j$ «difference.where mᶜ»; the masses of the images sum"
    " to 1, «images», and so do those of the texts, «texts». How far they are from equal is measured by"
    " «difference.where Kʳ» and «difference.where Kᶜ»: neither is negative, «uneven images» and «uneven"
    " texts», and each is 0 only where all its masses are equal. The loss from image to text less the loss"
    " from text to image is «difference»: it is positive where the texts share the mass less evenly than"
    " the images do. A text that is near to many images, a hub, makes it so, and a text that is near to"
    " none. CLIP's loss itself, the mean of the two, is «level». We know of no source.",
    brief="Take one softmax over all entries of CLIP's logits, and let $K^r$ and $K^c$ measure how unevenly"
    " images and texts share it. The loss from image to text less that from text to image is «difference»:"
    " above 0 where the texts share less evenly, as they do with a hub, a text that is near to many images.",
    difference="(Σ_i log(Pᶜ[i,i]))/B - (Σ_i log(P[i,i]))/B = Kᶜ - Kʳ",
    level="𝓛 = -(Σ_i log(Jˡ[i,i]))/B - log(B) - (Kʳ + Kᶜ)/2",
    images="Σ_i mʳ[i] = 1",
    texts="Σ_j mᶜ[j] = 1",
    uneven_images="0 ≤ Kʳ by Σ_i 1/B log(mʳ[i] : 1/B)",
    uneven_texts="0 ≤ Kᶜ by Σ_i 1/B log(mᶜ[i] : 1/B)",
)
