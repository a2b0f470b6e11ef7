import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useRefresh } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { locale } from '../../kit/language.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { FieldInput } from '../entity-form/field-input.tsx';
import { type Change, hasAll, type Outcome, readEntities, undoChanges, writeChanges } from './bulk-edit.ts';
import { counted } from './counted.ts';
import classes from './entities.module.css';
import type { Field } from './fields.ts';
import { RefusedList } from './refused-list.tsx';

const staleAfter = ['searchBlueprintEntities', 'getEntity', 'groupBlueprintEntities', 'countEntities'] as const;

interface BulkEditProps {
  readonly blueprint: string;
  /** The title of the blueprint, for counts. */
  readonly title: string;
  readonly identifiers: readonly string[];
  /** What may be set on many. */
  readonly fields: readonly Field[];
  /** The field that is chosen at first. */
  readonly first: Field | undefined;
  readonly onClose: () => void;
  /** After all of them were written. */
  readonly onDone: () => void;
}

/** Sets the same values on many entities: says first what will change, then what did, and takes it back. */
export function BulkEditDialog({ blueprint, title, identifiers, fields, first, onClose, onDone }: BulkEditProps) {
  // what has no value yet is not sent: only what is emptied on purpose is emptied
  const [typed, setTyped] = useState<readonly Change[]>(first ? [{ field: first, value: undefined }] : []);
  const changes = useMemo(() => typed.filter(({ value }) => value !== undefined), [typed]);
  const [progress, setProgress] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [problem, setProblem] = useState<string>();
  const isStopped = useRef(false);
  const toast = useToast();
  const refresh = useRefresh();
  const [asked] = useDebouncedValue(changes, 300);
  const preview = usePreview(blueprint, identifiers, asked);
  const { data } = preview;
  const isCurrent = asked === changes && !preview.isFetching;
  const unchosen = fields.filter(({ key }) => !typed.some(({ field }) => field.key === key));

  const undo = async (done: Outcome['done']) => {
    const { refused } = await undoChanges(blueprint, done, changes);
    await refresh(staleAfter);
    toast(
      refused.length === 0
        ? t('{count} restored', { count: counted(done.length, title) })
        : {
            text: t('{counted} restored, {count} kept: {reason}', {
              counted: counted(done.length - refused.length, title),
              count: refused.length,
              reason: refused[0]?.reason,
            }),
            kind: 'failure',
          },
    );
  };
  const save = async () => {
    if (!data || !isCurrent) return;
    isStopped.current = false;
    setProblem(undefined);
    setProgress(0);
    try {
      const result = await writeChanges(blueprint, data.toChange, () => changes, {
        onProgress: setProgress,
        isStopped: () => isStopped.current,
      });
      await refresh(staleAfter);
      if (result.refused.length === 0 && result.done.length === data.toChange.length) {
        toast({
          text: t('{count} changed', { count: counted(result.done.length, title) }),
          undo: () => undo(result.done),
        });
        onDone();
        onClose();
      } else setOutcome(result);
    } catch (error) {
      setProblem(
        t('Portolan could not finish: {message} Check the table, then try again.', {
          message: (error as Error).message,
        }),
      );
      await refresh(staleAfter);
    } finally {
      setProgress(undefined);
    }
  };
  const count = data?.toChange.length ?? 0;
  return (
    <Dialog opened onClose={onClose} title={t('Edit {count}', { count: counted(identifiers.length, title) })} size="md">
      {outcome ? (
        <Stack>
          <Text role="status">
            {t('{count} changed. {count2} not changed.', {
              count: counted(outcome.done.length, title),
              count2: outcome.refused.length,
            })}
          </Text>
          <RefusedList refused={outcome.refused} />
          <Group justify="flex-end">
            {outcome.done.length > 0 && (
              <Button variant="default" onClick={() => void undo(outcome.done).then(onClose)}>
                {t('Undo the {count}', { count: counted(outcome.done.length, title) })}
              </Button>
            )}
            <Button onClick={onClose}>{t('Close')}</Button>
          </Group>
        </Stack>
      ) : (
        <form
          ref={markFirst}
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Stack className={classes.bulkForm ?? ''}>
            {typed.map(({ field, value }) => (
              <BulkInput
                key={field.key}
                field={field}
                value={value}
                onChange={(next) =>
                  setTyped((all) => all.map((each) => (each.field.key === field.key ? { field, value: next } : each)))
                }
              />
            ))}
            {unchosen.length > 0 && (
              <Select
                label={typed.length === 0 ? t('Property') : t('Another property')}
                placeholder={t('Choose a property')}
                searchable
                data={unchosen.map(({ key, title: label }) => ({ value: key, label }))}
                value={null}
                onChange={(key) => {
                  const field = unchosen.find((each) => each.key === key);
                  if (field) setTyped([...typed, { field, value: undefined }]);
                }}
              />
            )}
            <div role="status" aria-live="polite" className={classes.preview}>
              {preview.error
                ? t('Portolan could not check this: {message}', { message: preview.error.message })
                : data && isCurrent
                  ? previewText(data)
                  : changes.length > 0
                    ? t('Checking what will change…')
                    : t('Choose what to set.')}
            </div>
            {data && isCurrent && <RefusedList refused={data.refused} />}
            {problem && (
              <Text c="red" size="sm" role="alert">
                {problem}
              </Text>
            )}
            {progress !== undefined && (
              <Progress
                value={(progress / Math.max(1, count)) * 100}
                aria-label={t('{progress} of {count} done', { progress, count })}
              />
            )}
            <Group justify="flex-end">
              {progress === undefined ? (
                <Button variant="default" onClick={onClose}>
                  {t('Cancel')}
                </Button>
              ) : (
                <Button
                  variant="default"
                  onClick={() => {
                    isStopped.current = true;
                  }}
                >
                  {t('Stop after this call')}
                </Button>
              )}
              <Button type="submit" disabled={!isCurrent || count === 0} loading={progress !== undefined}>
                {isCurrent && count > 0 ? t('Change {count}', { count: counted(count, title) }) : t('Change')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

/** What the server would do: nothing is written. */
function usePreview(blueprint: string, identifiers: readonly string[], changes: readonly Change[]) {
  return useQuery({
    queryKey: ['bulk preview', blueprint, identifiers, changes.map(({ field, value }) => [field.key, value])],
    enabled: changes.length > 0,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: async () => {
      const found = await readEntities(
        blueprint,
        identifiers,
        changes.map(({ field }) => field),
      );
      const already = found.filter((entity) => hasAll(entity, changes));
      const others = found.filter((entity) => !already.includes(entity));
      const { done, refused } = await writeChanges(blueprint, others, () => changes, { isTrial: true });
      return { toChange: done, already: already.length, refused, gone: identifiers.length - found.length };
    },
  });
}

/** The dialog focuses what is marked so, and a choice with the focus is open. */
function markFirst(form: HTMLFormElement | null): void {
  form?.querySelector('input:not([type=hidden])')?.setAttribute('data-autofocus', '');
}

interface Preview {
  readonly toChange: readonly unknown[];
  readonly already: number;
  readonly refused: readonly unknown[];
  readonly gone: number;
}

function previewText({ toChange, already, refused, gone }: Preview): string {
  return [
    t('{count} will change', { count: toChange.length.toLocaleString(locale) }),
    already > 0 ? t('{already} already so', { already: already.toLocaleString(locale) }) : '',
    refused.length > 0 ? t('{count} you cannot change', { count: refused.length.toLocaleString(locale) }) : '',
    gone > 0 ? t('{gone} no longer there', { gone: gone.toLocaleString(locale) }) : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** An input for a value of many, which can also be emptied on all of them. */
function BulkInput({ field, value, onChange }: { field: Field; value: unknown; onChange: (value: unknown) => void }) {
  return (
    <div>
      <FieldInput field={field} value={value ?? null} onChange={onChange} />
      {value === undefined && !field.isRequired && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => onChange(null)}>
          {t('Clear {title} on all', { title: field.title })}
        </Button>
      )}
      {value === null && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('{title} will be empty.', { title: field.title })}
        </Text>
      )}
    </div>
  );
}
