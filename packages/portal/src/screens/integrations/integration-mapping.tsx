import { Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { conflictQuestion } from '../../parts/conflict-question.tsx';
import { isObject } from '../../parts/json-value.ts';
import { MappingEditor } from '../../parts/mapping/mapping-editor.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';

const empty = { resources: [] };

/** The configuration of an integration, tried on the raw data that it sent as examples. */
export function IntegrationMapping({ integration }: { integration: AnswerOf<'getIntegration'>['integration'] }) {
  const { installationId } = integration;
  const [base, setBase] = useState<unknown>(integration.config ?? empty);
  const [draft, setDraft] = useState<unknown>(base);
  const [isReadable, setReadable] = useState(true);
  const [round, setRound] = useState(0);
  const replace = useChange('replaceIntegrationConfig', {
    staleAfter: ['getIntegration', 'listIntegrations', 'getResyncRequest'],
  });
  const confirm = useConfirm();
  const [isAsking, setAsking] = useState(false);
  const toast = useToast();
  const sample = useExample(installationId, draft);
  const isDirty = !isReadable || JSON.stringify(draft) !== JSON.stringify(base);
  useLeaveGuard(isDirty, 'the mapping');
  // while nothing is typed it follows what the integration or somebody else writes
  const latest = integration.config ?? empty;
  if (!isDirty && !replace.isPending && !isAsking && JSON.stringify(latest) !== JSON.stringify(base)) {
    setBase(latest);
    setDraft(latest);
  }
  const params = { integration_identifier: installationId };
  const isWanted = async () => {
    const { integration: now } = await call('getIntegration', { params });
    const theirs = now.config ?? empty;
    if (JSON.stringify(theirs) === JSON.stringify(base)) return true;
    const name = integration.title || installationId;
    return confirm(conflictQuestion({ name, by: now.updatedBy, base, theirs, mine: draft }));
  };
  const save = async () => {
    if (!isDirty || !isReadable || isAsking) return;
    setAsking(true);
    try {
      if (!(await isWanted())) return;
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
      return;
    } finally {
      setAsking(false);
    }
    try {
      const input = { params, body: { config: draft as never } };
      const { integration: saved } = await replace.mutateAsync(input);
      setBase(saved.config);
      setDraft(saved.config);
      toast('The mapping was saved, and a resync asked for');
    } catch {
      // it is said below
    }
  };
  useCommands([{ id: 'mapping.save', label: 'Save the mapping', keys: 'mod+s', run: () => void save() }]);
  return (
    <>
      <Text c="dimmed" mb="md" size="sm">
        The integration maps by this; here it is tried on the examples that it sent. Saving asks it for a resync.
      </Text>
      <MappingEditor
        key={round}
        value={draft}
        label="Configuration"
        holds="configuration of an integration"
        kind={sample.kind}
        onChange={setDraft}
        onReadable={setReadable}
        picker={
          <Group gap="xs" grow>
            <Select
              aria-label="Kind"
              placeholder="Kind"
              data={sample.kinds}
              value={sample.kind ?? null}
              allowDeselect={false}
              onChange={(next) => sample.choose(next ?? undefined, 0)}
              nothingFoundMessage="The configuration names no kind"
            />
            <Select
              aria-label="Example"
              placeholder="No example"
              data={sample.examples}
              disabled={sample.examples.length === 0}
              value={sample.example}
              allowDeselect={false}
              onChange={(next) => sample.choose(sample.kind, Number(next))}
            />
          </Group>
        }
        sample={sample.data}
        withoutSample="The integration has sent no example of this kind. Write one here as it comes from the source."
      />
      {replace.error && <ErrorState error={replace.error} what="It was not saved" />}
      <SaveBar
        isDirty={isDirty}
        problem={isReadable ? undefined : 'The configuration has to be corrected first.'}
        isBusy={replace.isPending || isAsking}
        onSave={() => void save()}
        onDiscard={() => {
          setDraft(base);
          setReadable(true);
          setRound(round + 1);
          replace.reset();
        }}
      />
    </>
  );
}

/** The kinds that have examples or resources, and the example that was chosen. */
function useExample(installationId: string, draft: unknown) {
  const reading = useRead('listKinds', { params: { integration_identifier: installationId } });
  const [asked, setAsked] = useUrlState('kind');
  const [index, setIndex] = useState(0);
  const sent = reading.data?.data ?? {};
  const kinds = [...new Set([...kindsIn(draft), ...Object.keys(sent)])];
  const kind = asked ?? kinds[0];
  const examples = kind === undefined ? [] : (sent[kind]?.examples ?? []);
  const chosen = examples[index] ?? examples[0];
  return {
    kinds,
    kind,
    examples: examples.map((_each, place) => ({ value: String(place), label: `Example ${place + 1}` })),
    example: chosen ? String(examples.indexOf(chosen)) : null,
    data: chosen?.data,
    choose: (next: string | undefined, place: number) => {
      setAsked(next);
      setIndex(place);
    },
  };
}

function kindsIn(config: unknown): readonly string[] {
  const resources = isObject(config) && Array.isArray(config['resources']) ? config['resources'] : [];
  return resources.flatMap((each) => (isObject(each) && typeof each['kind'] === 'string' ? [each['kind']] : []));
}
