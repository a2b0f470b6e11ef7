import type { BlueprintInfo } from './catalog.ts';
import { findName, nameWords, type Span, type Word } from './words.ts';

export interface BlueprintMatch {
  readonly blueprint: BlueprintInfo;
  readonly span: Span;
}

const synonyms: Readonly<Record<string, readonly string[]>> = {
  _user: ['user', 'person', 'member', 'colleague', 'engineer', 'developer'],
  _team: ['team', 'squad', 'group'],
  _ai_agent: ['agent'],
  _ai_invocations: ['invocation'],
};

/**
 * The blueprint a question is about: by title or identifier in singular or plural, initials (`PR`), a synonym or the
 * last word of its title. A fuller name wins, then the earlier word.
 */
export function matchBlueprint(
  words: readonly Word[],
  blueprints: readonly BlueprintInfo[],
): BlueprintMatch | undefined {
  return allMatches(words, blueprints)[0];
}

function allMatches(words: readonly Word[], blueprints: readonly BlueprintInfo[]): BlueprintMatch[] {
  const scored: (BlueprintMatch & { score: number })[] = [];
  for (const blueprint of blueprints) {
    const names = [nameWords(blueprint.title ?? ''), nameWords(blueprint.identifier)].filter((name) => name.length > 0);
    const add = (name: readonly string[], score: number): void => {
      const span = findName(words, name);
      if (span) scored.push({ blueprint, span, score });
    };
    for (const name of names) {
      add(name, 10 + name.length);
      if (name.length > 1) {
        add([name.map((word) => word[0]).join('')], 5);
        add(name.slice(-1), 1);
      }
    }
    for (const word of synonyms[blueprint.identifier] ?? []) add([word], 8);
  }
  // the requested thing comes before what describes it: "services of the payments team"
  return scored.sort((a, b) => strength(b) - strength(a) || a.span.start - b.span.start || b.score - a.score);
}

/** Full names have equal strength at any length, so that position decides between them. */
function strength({ score, span }: { score: number; span: Span }): number {
  const kind = score >= 8 ? 2 : score >= 5 ? 1 : 0;
  return kind * 10 + (kind === 2 ? 0 : span.end - span.start);
}
