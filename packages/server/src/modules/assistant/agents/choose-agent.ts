export interface Candidate {
  readonly identifier: string;
  /** Title, description and starters. */
  readonly about: string;
  readonly prompt: string;
}

export interface Choice {
  readonly identifier: string;
  readonly reason: string;
}

const common = new Set(
  'the and for are was what which who how why where when with from that this have has does can all any you your our about tell show list give please'.split(
    ' ',
  ),
);

/**
 * The agent whose words match the question best; a single candidate always matches. An agent's description counts more
 * than its prompt. Uses no model: the router is deprecated, and the choice must precede the record.
 */
export function chooseAgent(question: string, candidates: readonly Candidate[]): Choice | undefined {
  const [only, ...others] = candidates;
  if (only && others.length === 0) return { identifier: only.identifier, reason: 'It is the only active agent' };
  const asked = splitWords(question);
  const scored = candidates
    .map((candidate) => {
      const about = shared(asked, splitWords(candidate.about));
      const prompt = shared(asked, splitWords(candidate.prompt)).filter((word) => !about.includes(word));
      return {
        identifier: candidate.identifier,
        words: [...about, ...prompt],
        score: 3 * about.length + prompt.length,
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.identifier < b.identifier ? -1 : 1));
  const best = scored[0];
  return best && { identifier: best.identifier, reason: `It is about ${best.words.slice(0, 5).join(', ')}` };
}

function splitWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.map((word) => word.replace(/s$/, '')).filter((word) => word.length > 2 && !common.has(word)));
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((word) => b.has(word));
}
