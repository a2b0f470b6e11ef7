import { t } from '../../kit/translate.ts';
import type { GroupLook, Layout, LayoutGroup } from './layout.ts';

type Groups = readonly LayoutGroup[];

function changed(layout: Layout, groups: Groups): Layout {
  return { ...layout, groups };
}

/** Moves a field by one place, into the neighboring group at the end of its own. */
export function moveField(layout: Layout, name: string, by: -1 | 1): Layout {
  const at = layout.groups.findIndex(({ fields }) => fields.includes(name));
  const group = layout.groups[at];
  if (!group) return layout;
  const from = group.fields.indexOf(name);
  const to = from + by;
  if (to >= 0 && to < group.fields.length) {
    const fields = group.fields.toSpliced(from, 1).toSpliced(to, 0, name);
    return changed(layout, layout.groups.with(at, { ...group, fields }));
  }
  const next = layout.groups[at + by];
  if (!next) return layout;
  return moveToGroup(layout, name, at + by, by === 1 ? 0 : next.fields.length);
}

/** Moves a field into a group, to its end unless told. */
export function moveToGroup(layout: Layout, name: string, to: number, place?: number): Layout {
  return changed(
    { ...layout, hidden: layout.hidden.filter((each) => each !== name) },
    layout.groups.map((group, index) => {
      const without = group.fields.filter((each) => each !== name);
      if (index !== to) return { ...group, fields: without };
      return { ...group, fields: without.toSpliced(place ?? without.length, 0, name) };
    }),
  );
}

export function hideField(layout: Layout, name: string): Layout {
  return {
    ...layout,
    hidden: [...layout.hidden.filter((each) => each !== name), name],
    groups: layout.groups.map((group) => ({ ...group, fields: group.fields.filter((each) => each !== name) })),
  };
}

export function changeGroup(
  layout: Layout,
  at: number,
  change: { readonly title?: string; readonly as?: GroupLook },
): Layout {
  return changed(
    layout,
    layout.groups.map((group, index) => (index === at ? { ...group, ...change } : group)),
  );
}

export function moveGroup(layout: Layout, at: number, by: -1 | 1): Layout {
  const group = layout.groups[at];
  const to = at + by;
  if (!group || to < 0 || to >= layout.groups.length) return layout;
  return changed(layout, layout.groups.toSpliced(at, 1).toSpliced(to, 0, group));
}

/** Removes a group; its fields go to the one before it, or after it. */
export function removeGroup(layout: Layout, at: number): Layout {
  const group = layout.groups[at];
  if (!group || layout.groups.length < 2) return layout;
  const to = at === 0 ? 1 : at - 1;
  return changed(
    layout,
    layout.groups
      .map((each, index) => (index === to ? { ...each, fields: [...each.fields, ...group.fields] } : each))
      .toSpliced(at, 1),
  );
}

export function addGroup(layout: Layout): Layout {
  return changed(layout, [...layout.groups, { title: t('New group'), fields: [], as: 'rows' }]);
}

/** Adds a fact to the header, or takes it out. */
export function toggleFact(layout: Layout, source: string): Layout {
  const isPinned = layout.facts.some((fact) => fact.source === source);
  return {
    ...layout,
    facts: isPinned ? layout.facts.filter((fact) => fact.source !== source) : [...layout.facts, { source }],
  };
}

/** What is stored: groups without fields are left out. */
export function storedLayout({ groups, hidden, facts }: Layout): Layout {
  return { groups: groups.filter((group) => group.fields.length > 0), hidden, facts };
}
