import { Alert, Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import type { Memory } from '@portolan/contract/memory';
import { memoryBounds } from '@portolan/contract/proposed-note';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { useDelete } from '../../kit/delete.ts';
import { DialogForm, useSentForm } from '../../kit/form.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, ErrorState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';

/** What somebody has the assistant know with each question: read, written, changed, deleted and paused. */
export function Screen() {
  const read = useRead('listMemories');
  const [edited, edit] = useState<Memory | 'new'>();
  return (
    <Stack gap="lg" maw={860}>
      <PageHeader
        title={t('Memory')}
        description={t('Notes that the assistant is shown with each of your questions. Nobody else can read them.')}
      />
      <Reading of={read}>
        {({ memories, memoryEnabled, isOn }) => (
          <>
            {memoryEnabled ? (
              <OwnSwitch isOn={isOn} />
            ) : (
              <Alert color="gray" role="status" title={t('Notes are off in this organization')}>
                {t('An administrator can allow them in the settings of the assistant.')}
              </Alert>
            )}
            {memories.length === 0 ? (
              <EmptyState title={t('There are no notes')}>
                {t('Begin a question with “Remember that”, or write a note here.')}
              </EmptyState>
            ) : (
              <ul className={surfaces.list}>
                {memories.map((memory) => (
                  <Note key={memory.id} memory={memory} onEdit={() => edit(memory)} />
                ))}
              </ul>
            )}
            <Group>
              {memoryEnabled && isOn && (
                <Button variant="default" data-operation="createMemory" onClick={() => edit('new')}>
                  {t('Write a note')}
                </Button>
              )}
              {memories.length > 0 && <DeleteAll count={memories.length} />}
            </Group>
          </>
        )}
      </Reading>
      {edited && <NoteForm memory={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />}
    </Stack>
  );
}

function OwnSwitch({ isOn }: { isOn: boolean }) {
  const set = useChange('setOwnMemory', { staleAfter: ['listMemories'] });
  return (
    <>
      <Switch
        label={t('Use my notes')}
        description={t('While this is off, notes are kept, and neither used nor written.')}
        checked={isOn}
        disabled={set.isPending}
        onChange={({ currentTarget }) => set.mutate({ body: { isOn: currentTarget.checked } })}
      />
      {set.error && <ErrorState error={set.error} what={t('Nothing was changed')} />}
    </>
  );
}

function Note({ memory, onEdit }: { memory: Memory; onEdit: () => void }) {
  const { id, content, invocation, createdAt } = memory;
  const { ask, isPending } = useDelete('deleteMemory', { staleAfter: ['listMemories'] });
  const deletion = {
    input: { params: { memory_id: id } },
    name: t('The note'),
    consequence: t('The assistant is not shown it again. This cannot be undone.'),
  };
  return (
    <li className={surfaces.item}>
      <div>
        <Text dir="auto">{content}</Text>
        <div className={surfaces.detail}>
          <RelativeTime at={createdAt} />
          {' · '}
          {invocation === null ? (
            t('written by hand')
          ) : (
            <AnchorLink to="/ai/invocations/$invocation" params={{ invocation }} size="sm">
              {t('from a question')}
            </AnchorLink>
          )}
        </div>
      </div>
      <Group gap={4} wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          data-operation="updateMemory"
          aria-label={t('Change the note: {content}', { content })}
          onClick={onEdit}
        >
          {t('Change')}
        </Button>
        <Button
          size="xs"
          variant="default"
          data-operation="deleteMemory"
          aria-label={t('Delete the note: {content}', { content })}
          onClick={() => void ask(deletion)}
          loading={isPending}
        >
          {t('Delete')}
        </Button>
      </Group>
    </li>
  );
}

function NoteForm({ memory, onClose }: { memory: Memory | undefined; onClose: () => void }) {
  const form = useSentForm({
    initial: { content: memory?.content ?? '' },
    staleAfter: ['listMemories'],
    done: t('The note was saved'),
    onSaved: onClose,
    send: ({ content }) =>
      memory
        ? call('updateMemory', { params: { memory_id: memory.id }, body: { content } })
        : call('createMemory', { body: { content } }),
  });
  return (
    <DialogForm
      form={{ ...form, operation: memory ? 'updateMemory' : 'createMemory' }}
      title={memory ? t('Change a note') : t('Write a note')}
      verb={t('Save')}
      refused={t('The note was not saved')}
      onClose={onClose}
    >
      <Textarea
        label={t('Note')}
        required
        autosize
        minRows={2}
        maxLength={memoryBounds.charactersMax}
        data-autofocus
        {...form.field('content')}
      />
    </DialogForm>
  );
}

function DeleteAll({ count }: { count: number }) {
  const { ask, isPending } = useDelete('deleteMemories', { staleAfter: ['listMemories'] });
  const deletion = {
    input: { body: { deleteAll: true } },
    name: t('All notes ({count})', { count }),
    consequence: t('The assistant is not shown them again. This cannot be undone.'),
  } as const;
  return (
    <Button variant="default" data-operation="deleteMemories" onClick={() => void ask(deletion)} loading={isPending}>
      {t('Delete all notes')}
    </Button>
  );
}
