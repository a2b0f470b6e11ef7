/** Strings are measured in code points, like in jq; the fast paths are for text without surrogates. */

const anySurrogate = /[\ud800-\udfff]/;
const loneSurrogates = /\p{Surrogate}/gu;

/** Replaces every lone surrogate by U+FFFD, as jq does with invalid Unicode. */
export function wellFormed(text: string): string {
  return anySurrogate.test(text) ? text.replace(loneSurrogates, '\ufffd') : text;
}

export function codePointLength(text: string): number {
  if (!anySurrogate.test(text)) return text.length;
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    count++;
    if (isPairAt(text, index)) index++;
  }
  return count;
}

/** The unit offset of a code point offset, at most the text's length. */
function unitOffset(text: string, codePoints: number): number {
  let index = 0;
  for (let count = 0; count < codePoints && index < text.length; count++) index += isPairAt(text, index) ? 2 : 1;
  return index;
}

export function sliceCodePoints(text: string, from: number, to: number): string {
  if (!anySurrogate.test(text)) return text.slice(from, to);
  const start = unitOffset(text, from);
  return text.slice(start, start + unitOffset(text.slice(start), to - from));
}

/** Maps ascending unit offsets to code point offsets in one pass over the text. */
export function codePointOffsets(text: string): (unit: number) => number {
  if (!anySurrogate.test(text)) return (unit) => unit;
  let atUnit = 0;
  let atPoint = 0;
  return (unit) => {
    if (unit < atUnit) {
      atUnit = 0;
      atPoint = 0;
    }
    while (atUnit < unit) {
      atUnit += isPairAt(text, atUnit) ? 2 : 1;
      atPoint++;
    }
    return atPoint;
  };
}

export function utf8ByteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPairAt(text, index)) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

function isPairAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
