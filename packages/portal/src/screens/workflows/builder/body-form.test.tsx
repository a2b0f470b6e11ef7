import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi } from '../../../../test/fake-api.ts';
import { CommandProvider } from '../../../frame/commands.tsx';
import { bodyAt } from '../document/bodies.ts';
import type { Definition } from '../document/definition.ts';
import { WorkflowBuilder } from './builder.tsx';
import { useWorkflowDraft } from './use-workflow-draft.ts';

const base: Definition = {
  identifier: 'deploy',
  title: 'Deploy',
  nodes: [
    { identifier: 'form', title: 'Form', config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: {} } } },
  ],
  connections: [],
};
const seen: { draft: Definition } = { draft: base };

function Builder() {
  const definition = useWorkflowDraft(base);
  seen.draft = definition.draft;
  return (
    <WorkflowBuilder
      definition={definition}
      isBusy={false}
      error={undefined}
      onSave={() => undefined}
      onReset={() => undefined}
    />
  );
}

const line = (name: RegExp) => screen.findByRole('button', { name });
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });

async function drawn() {
  fakeApi({
    validateWorkflow: ({ body }: { body: Definition }) => {
      const inner = bodyAt(body, ['each']);
      const at = inner?.nodes.findIndex(({ config }) => config['url'] === 'nowhere') ?? -1;
      const path = `/nodes/1/config/body/nodes/${at}/config/url`;
      const issues = at < 0 ? [] : [{ path, code: 'shape', message: 'must be an address' }];
      return { ok: true, isValid: issues.length === 0, issues, warnings: [] };
    },
    listSecrets: () => ({ ok: true, secrets: [] }),
    listTeams: () => ({ ok: true, teams: [] }),
    listUsers: () => ({ ok: true, users: [] }),
    listBlueprints: () => ({ ok: true, blueprints: [] }),
    listWorkflows: () => ({ ok: true, workflows: [{ identifier: 'release', title: 'Release' }] }),
  } as never);
  await draw(
    <CommandProvider>
      <Builder />
    </CommandProvider>,
  );
}

async function add(after: RegExp, what: string) {
  const row = await line(after);
  fireEvent.focus(row);
  row.focus();
  await waitFor(() => expect(row.getAttribute('aria-current')).toBe('true'));
  press('a');
  const search = await screen.findByLabelText('What should it do?');
  fireEvent.change(search, { target: { value: what } });
  fireEvent.submit(search);
}

test('the steps inside a step are edited as a list of their own, with their faults, and lead back out', async () => {
  await drawn();
  await add(/^Trigger Form/, 'for each item');
  fireEvent.click(await screen.findByRole('button', { name: 'Edit the steps inside' }));
  await add(/^Trigger Beginning/, 'call an address');
  fireEvent.change(await screen.findByLabelText('Address'), { target: { value: 'nowhere' } });
  await screen.findByRole('button', { name: /^Step 1\. Call an address.*1 fault/ }, { timeout: 10_000 });
  expect(screen.getAllByText('must be an address').length).toBeGreaterThan(0);
  expect(bodyAt(seen.draft, ['each'])?.connections).toEqual([{ sourceIdentifier: 'item', targetIdentifier: 'call' }]);

  // the place in words, and the way out of it
  const trail = screen.getByRole('navigation', { name: 'Steps inside a step' });
  expect(trail.textContent).toContain('For each item');
  fireEvent.click(within(trail).getByRole('button', { name: 'Deploy' }));
  await screen.findByRole('button', { name: /^Step 1\. For each item.*1 fault/ });
  press('z', { ctrlKey: true });
  await waitFor(() => expect(bodyAt(seen.draft, ['each'])?.nodes[1]?.config['url']).toBe(''));
});

test('a map runs the steps inside or another workflow, and never both', async () => {
  await drawn();
  await add(/^Trigger Form/, 'for each item');
  const choice = await screen.findByLabelText('What is run for each item');
  fireEvent.change(choice, { target: { value: 'other' } });
  fireEvent.click(await screen.findByRole('combobox', { name: 'Workflow' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Release' }));
  await waitFor(() => expect(seen.draft.nodes[1]?.config['workflowIdentifier']).toBe('release'));
  expect(seen.draft.nodes[1]?.config).not.toHaveProperty('body');
  fireEvent.change(choice, { target: { value: 'body' } });
  await waitFor(() => expect(seen.draft.nodes[1]?.config).toHaveProperty('body'));
  expect(seen.draft.nodes[1]?.config).not.toHaveProperty('workflowIdentifier');
});

test('branches that run at the same time are named, added and removed', async () => {
  await drawn();
  await add(/^Trigger Form/, 'at the same time');
  const names = () => Object.keys(seen.draft.nodes[1]?.config['branches'] as object);
  const [first] = await screen.findAllByLabelText('Name of the branch');
  fireEvent.change(first as Element, { target: { value: 'build' } });
  fireEvent.blur(first as Element);
  await waitFor(() => expect(names()).toEqual(['build', 'two']));
  fireEvent.click(screen.getByRole('button', { name: 'Remove two' }));
  fireEvent.click(screen.getByRole('button', { name: 'Add a branch' }));
  await waitFor(() => expect(names()).toEqual(['build', 'branch']));
  fireEvent.click(screen.getByRole('button', { name: 'Edit the steps of branch' }));
  await line(/^Trigger Beginning/);
});
