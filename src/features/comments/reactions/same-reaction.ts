/** Character that asks for the picture of an emoji, which keyboards add to some and not to others. */
const EMOJI_PRESENTATION = /\ufe0f/g;

/** Returns a text that is the same for reactions that look alike: in NFC, without the choice of an emoji's picture. */
function comparedReaction(reaction: string): string {
  return reaction.normalize("NFC").replace(EMOJI_PRESENTATION, "");
}

/** Returns the first of the known reactions that looks like the given one, or else the given one. */
export function findSameReaction(known: Iterable<string>, reaction: string): string {
  const compared = comparedReaction(reaction);
  for (const each of known) if (comparedReaction(each) === compared) return each;
  return reaction;
}
