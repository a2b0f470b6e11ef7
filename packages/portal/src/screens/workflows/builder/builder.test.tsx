import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi } from '../../../../test/fake-api.ts';
import { CommandProvider } from '../../../frame/commands.tsx';
import { ReadOnly } from '../../../parts/access/read-only.tsx';
import type { Definition } from '../document/definition.ts';
import { WorkflowBuilder } from './builder.tsx';
import { useWorkflowDraft } from './use-workflow-draft.ts';

const base: Definition = {
  identifier: 'deploy',
  title: 'Deploy',
  nodes: [
    { identifier: 'form', title: 'Form', config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: {} } } },
    { identifier: 'call', title: 'Build', config: { type: 'WEBHOOK', url: 'https://a.example' } },
    {
      identifier: 'wait',
      title: 'Pause',
      config: { type: 'DELAY', seconds: '{{ .outputs.call.response.data.pause }}' },
    },
  ],
  connections: [
    { sourceIdentifier: 'form', targetIdentifier: 'call' },
    { sourceIdentifier: 'call', targetIdentifier: 'wait' },
  ],
};

const saved: Definition[] = [];
const seen: { draft: Definition } = { draft: base };

function Builder() {
  const definition = useWorkflowDraft(base);
  seen.draft = definition.draft;
  return (
    <WorkflowBuilder
      definition={definition}
      isBusy={false}
      error={undefined}
      onSave={(draft) => saved.push(draft)}
      onReset={() => undefined}
    />
  );
}

const issue = { path: '/nodes/1/config/url', code: 'invalid', message: 'must be an address' };

/** A server that finds fault with an empty address, and knows no secrets, teams or users. */
function server() {
  return fakeApi({
    validateWorkflow: ({ body }: { body: Definition }) => {
      const issues = body.nodes[1]?.config['url'] === 'nowhere' ? [issue] : [];
      return { ok: true, isValid: issues.length === 0, issues, warnings: [] };
    },
    listSecrets: () => ({ ok: true, secrets: [{ secretName: 'TOKEN' }] }),
    listTeams: () => ({ ok: true, teams: [] }),
    listUsers: () => ({ ok: true, users: [] }),
    listBlueprints: () => ({ ok: true, blueprints: [] }),
  } as never);
}

const line = (name: RegExp) => screen.findByRole('button', { name });
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const graph = ({ connections }: Definition) =>
  connections.map((each) => `${each.sourceIdentifier}>${each.targetIdentifier}${each.sourceOutletIdentifier ?? ''}`);

/** Goes to a line, as the arrow keys do. */
async function goTo(name: RegExp) {
  const row = await line(name);
  fireEvent.focus(row);
  row.focus();
  await waitFor(() => expect(row.getAttribute('aria-current')).toBe('true'));
}

async function drawn(access?: readonly string[]) {
  server();
  await draw(
    <CommandProvider>
      <ReadOnly permit={{ isAllowed: access === undefined, needs: 'Admin' }} to="change it">
        <Builder />
      </ReadOnly>
    </CommandProvider>,
    access ? { access } : {},
  );
}

test('by keys on the list a step is added, given branches, led elsewhere, removed and brought back', async () => {
  await drawn();
  await goTo(/^Step 1\. Build/);
  press('a');
  const search = await screen.findByLabelText('What should it do?');
  fireEvent.change(search, { target: { value: 'condition' } });
  fireEvent.submit(search);
  await line(/^Step 2\. Condition/);
  expect(graph(seen.draft)).toEqual(['form>call', 'call>check', 'check>waityes']);

  // the new line has the focus, and its branch is added there
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Step 2\. Condition/ })));
  press('b');
  await screen.findByText('If outlet');
  press('ArrowUp', { altKey: true });
  const outlets = seen.draft.nodes.find(({ identifier }) => identifier === 'check')?.config['outlets'];
  expect((outlets as { identifier: string }[]).map(({ identifier }) => identifier)).toEqual(['outlet', 'yes']);

  await goTo(/^Step 2\. Condition/);
  press('Delete');
  await waitFor(() => expect(graph(seen.draft)).toEqual(['form>call', 'call>wait']));
  press('z', { ctrlKey: true });
  await line(/^Step 2\. Condition/);
  press('s', { ctrlKey: true });
  await waitFor(() => expect(saved.at(-1)).toBe(seen.draft));
});

test('list, canvas and JSON show the same steps', async () => {
  await drawn();
  await line(/^Step 2\. Pause/);
  fireEvent.click(screen.getByRole('radio', { name: 'Canvas' }));
  const canvas = await screen.findByRole('region', { name: 'Workflow as a picture' }, { timeout: 15_000 });
  const cards = within(canvas)
    .getAllByRole('button')
    .map((each) => each.textContent?.trim());
  expect(cards).toEqual(['Form Form', 'Build Call an address', 'Pause Wait']);

  // down and up lead along the connections
  within(canvas).getByRole('button', { name: /^Form/ }).focus();
  press('ArrowDown');
  expect(document.activeElement?.textContent?.trim()).toBe('Build Call an address');
  press('ArrowDown');
  press('ArrowUp');
  expect(document.activeElement?.textContent?.trim()).toBe('Build Call an address');
});

test('a fault stands at its step and at its field, in the words of the server', async () => {
  await drawn();
  fireEvent.click(await line(/^Step 1\. Build/));
  fireEvent.change(await screen.findByLabelText('Address'), { target: { value: 'nowhere' } });
  await screen.findByRole('button', { name: /^Step 1\. Build call Call an address.*1 fault/ }, { timeout: 10_000 });
  const field = screen.getByLabelText('Address');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText('must be an address').length).toBeGreaterThan(0);
});

test('a renamed step takes the templates that read it along', async () => {
  await drawn();
  fireEvent.click(await line(/^Step 1\. Build/));
  const name = await screen.findByLabelText('Identifier');
  fireEvent.change(name, { target: { value: 'build-it' } });
  fireEvent.blur(name);
  await waitFor(() => expect(graph(seen.draft)).toEqual(['form>build-it', 'build-it>wait']));
  expect(seen.draft.nodes[2]?.config['seconds']).toBe('{{ .outputs["build-it"].response.data.pause }}');
});

test('a path of the data picker is written where the cursor was last', async () => {
  await drawn();
  fireEvent.click(await line(/^Step 2\. Pause/));
  const field = await screen.findByLabelText<HTMLInputElement>('Until');
  field.focus();
  fireEvent.click(screen.getByRole('button', { name: '.outputs.call.response.data' }));
  await waitFor(() => expect(seen.draft.nodes[2]?.config['until']).toBe('{{ .outputs.call.response.data }}'));
});

test('whoever may not change a workflow reads it, and no key changes it', async () => {
  await drawn(['token']);
  const row = await line(/^Step 1\. Build/);
  fireEvent.click(row);
  row.focus();
  press('a');
  press('Delete');
  expect(screen.queryByLabelText('What should it do?')).toBeNull();
  expect(seen.draft).toBe(base);
  expect(screen.queryByRole('button', { name: 'Change Build' })).toBeNull();
});
