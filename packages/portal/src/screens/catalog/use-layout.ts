import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useFields } from '../../parts/entities/use-fields.ts';
import { useMayChangePage } from '../../parts/pages/may-change.ts';
import { type Widget, widgetText } from '../../parts/widgets/widget-shape.ts';
import { type Fact, listFacts, type Model } from './facts.ts';
import { findDetails, type Layout, layoutGroups, ownTabs, readLayout } from './layout.ts';

/** The page that holds the layout of a blueprint's entities. */
export function entityPage(blueprint: string): string {
  return `${blueprint}Entity`;
}

/**
 * How the entities of a blueprint are shown: stored in their page, else as suggested. Undefined until everything is read
 * that decides what stands where, so that nothing moves afterwards.
 */
export function useLayout(blueprint: string) {
  const { read: model, fields } = useFields(blueprint);
  const scorecards = useRead('listScorecards', { params: { blueprint_identifier: blueprint } });
  const blueprints = useRead('listBlueprints');
  const identifier = entityPage(blueprint);
  // a page that may not be read leaves what is suggested
  const page = useRead('getPage', { params: { page_identifier: identifier } });
  const mayChange = useMayChangePage(page.data?.page ?? { identifier, locked: true });
  const isReady = fields !== undefined && ![scorecards, blueprints, page].some(({ isPending }) => isPending);
  const blueprintTitle = model.data?.blueprint.title ?? blueprint;
  const models = blueprints.data?.blueprints as readonly Model[] | undefined;
  const widgets = page.data?.page.widgets as readonly Widget[] | undefined;
  const shown = useMemo(() => {
    if (!isReady) return undefined;
    const details = findDetails(widgets ?? []);
    const stored = readLayout(details);
    const facts = listFacts(blueprint, fields, models ?? []);
    return {
      fields,
      stored,
      facts,
      pinned: pinnedFacts(stored, facts),
      groups: layoutGroups(stored, fields, blueprintTitle),
      tabs: ownTabs(widgets ?? []),
      details: details && widgetText(details, 'id'),
    };
  }, [isReady, widgets, blueprint, fields, models, blueprintTitle]);
  return { model, blueprintTitle, shown, page: page.data?.page, mayChange };
}

export type ShownLayout = NonNullable<ReturnType<typeof useLayout>['shown']>;

function pinnedFacts(
  stored: Layout | undefined,
  { suggested, others }: { readonly suggested: readonly Fact[]; readonly others: readonly Fact[] },
): readonly Fact[] {
  if (!stored || stored.facts.length === 0) return suggested;
  const all = new Map([...suggested, ...others].map((fact) => [fact.source, fact]));
  return stored.facts.flatMap(({ source, label }) => {
    const fact = all.get(source);
    return fact ? [label ? { ...fact, label } : fact] : [];
  });
}
