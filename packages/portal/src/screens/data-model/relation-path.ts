import type { Blueprint, Draft } from './blueprint-draft.ts';

type Model = ReadonlyMap<string, Pick<Blueprint, 'identifier' | 'title' | 'relations' | 'schema' | 'ownership'>>;

/** A step of a path: the blueprint where it starts, and the relation. */
export interface PathStep {
  readonly from: string;
  readonly choices: readonly { readonly key: string; readonly title: string; readonly target: string }[];
  readonly chosen: string | undefined;
}

/**
 * The steps of a relation path, plus one to continue it. The path ends at an unknown relation.
 * Relations to many are excluded, since a path must lead to a single entity.
 */
export function pathSteps(model: Model, start: Draft, path: readonly string[]): { steps: PathStep[]; end: string } {
  const steps: PathStep[] = [];
  let at = start.identifier;
  for (let depth = 0; depth <= path.length; depth += 1) {
    const relations = at === start.identifier ? start.relations : (model.get(at)?.relations ?? {});
    const choices = Object.entries(relations)
      .filter(([, { many }]) => !many)
      .map(([key, { title, target }]) => ({ key, title: title ?? key, target }));
    const next = choices.find(({ key }) => key === path[depth]);
    if (choices.length > 0 || path[depth] !== undefined) steps.push({ from: at, choices, chosen: path[depth] });
    if (!next) break;
    at = next.target;
  }
  return { steps, end: at };
}

/** Relations to teams, which can become ownership. */
export function teamRelations(
  draft: Pick<Draft, 'relations'>,
): readonly { key: string; title: string; many: boolean }[] {
  return Object.entries(draft.relations)
    .filter(([, { target }]) => target === '_team')
    .map(([key, { title, many }]) => ({ key, title: title ?? key, many }));
}

/** Relations of other blueprints that point at this one. */
export function pointingAt(blueprints: readonly Blueprint[], identifier: string): readonly string[] {
  return blueprints
    .filter((each) => each.identifier !== identifier)
    .flatMap((each) =>
      Object.entries(each.relations)
        .filter(([, { target }]) => target === identifier)
        .map(([key, { title }]) => `${each.title}: ${title ?? key}`),
    );
}

export function toModel(blueprints: readonly Blueprint[]): Model {
  return new Map(blueprints.map((each) => [each.identifier, each]));
}
