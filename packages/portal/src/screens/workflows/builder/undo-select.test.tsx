import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { type Definition, findNode, type WorkflowNode } from '../document/definition.ts';
import { removeNode, renameNode } from '../document/edits.ts';
import { outline } from '../document/outline.ts';
import { readableAt } from '../document/outputs.ts';
import { UndoSelect } from './undo-select.tsx';

const hook = (identifier: string): WorkflowNode => ({
  identifier,
  title: identifier,
  config: { type: 'WEBHOOK', url: 'https://a.example' },
});
const start: Definition = {
  identifier: 'w',
  nodes: [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    hook('make'),
    { identifier: 'wait', config: { type: 'DELAY', seconds: 1 } },
  ],
  connections: [
    { sourceIdentifier: 'form', targetIdentifier: 'make' },
    { sourceIdentifier: 'make', targetIdentifier: 'wait' },
  ],
};
const seen: { draft: Definition; selected: string } = { draft: start, selected: '' };

function Form({ of }: { of: string }) {
  const [draft, setDraft] = useState(seen.draft);
  const [selected, setSelected] = useState(of);
  seen.draft = draft;
  seen.selected = selected;
  return (
    <UndoSelect
      node={findNode(draft, of) as WorkflowNode}
      draft={draft}
      faults={[]}
      onChange={setDraft}
      onSelect={setSelected}
    />
  );
}

test('a new step outside the graph is made and named, follows its name, and is forgotten with it', async () => {
  seen.draft = start;
  await draw(<Form of="make" />);
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Undone by' });
  const other = [...select.options].find(({ text }) => text === 'A new step …')?.value;
  fireEvent.change(select, { target: { value: other } });
  expect(seen.selected).toBe('undo_make');
  expect(findNode(seen.draft, 'make')).toMatchObject({ compensatedBy: 'undo_make' });
  expect(seen.draft.connections).toEqual(start.connections);
  expect(outline(seen.draft).some((line) => line.kind === 'node' && line.node.identifier === 'undo_make')).toBe(true);
  expect(readableAt(seen.draft, 'undo_make').map(({ name }) => name)).toContain('make');
  const renamed = renameNode(seen.draft, 'undo_make', 'release');
  expect(findNode(renamed, 'make')).toMatchObject({ compensatedBy: 'release' });
  expect(findNode(removeNode(renamed, 'release'), 'make')).not.toHaveProperty('compensatedBy');
  fireEvent.change(select, { target: { value: '' } });
  expect(findNode(seen.draft, 'make')).not.toHaveProperty('compensatedBy');
});

test('only steps outside the graph that undo no other are offered', async () => {
  const nodes = [...start.nodes.slice(0, 1), { ...hook('make'), compensatedBy: 'back' }, hook('back'), hook('free')];
  seen.draft = { ...start, nodes: [...nodes, hook('other')], connections: [...start.connections] };
  await draw(<Form of="other" />);
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Undone by' });
  expect([...select.options].map(({ value }) => value.trim())).toEqual(['', 'free', '']);
});

test('what changes nothing has nothing to undo, and what undoes says which step', async () => {
  seen.draft = start;
  await draw(<Form of="wait" />);
  expect(screen.queryByRole('combobox')).toBeNull();
  seen.draft = {
    ...start,
    nodes: [...start.nodes.slice(0, 1), { ...hook('make'), compensatedBy: 'back' }, hook('back')],
  };
  await draw(<Form of="back" />);
  expect(screen.getByText(/^Undoes make/)).toBeDefined();
});
