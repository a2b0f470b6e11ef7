import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { ApiError, call } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { type Leaving, useLeaveCell } from '../../kit/grid-moves.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { FieldInput } from '../entity-form/field-input.tsx';
import { isSame } from '../entity-form/form-values.ts';
import { useFirstOpening } from './cell-button.tsx';
import { EditCellButton } from './edit-cell-button.tsx';
import { type Field, type FieldEntity, fieldValue, relationKey } from './fields.ts';

interface CellEditorProps {
  readonly field: Field;
  readonly entity: FieldEntity;
  readonly blueprint: string;
}

/**
 * The old value stays visible until the server has accepted the new one. In a grid Enter saves and goes down, Tab saves
 * and goes right, Escape restores; a refusal keeps the editor open with its reason.
 */
export function CellEditor({ field, entity, blueprint }: CellEditorProps) {
  const before = fieldValue(entity, field) ?? null;
  const { isOpen, setOpen, button } = useFirstOpening();
  const [typed, setTyped] = useState<unknown>(before);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const toast = useToast();
  const refresh = useRefresh();
  const leave = useLeaveCell();
  const toggle = () => {
    setTyped(before);
    setProblem(undefined);
    setOpen(!isOpen);
  };
  const close = (leaving: Leaving) => {
    setOpen(false);
    leave?.(leaving);
  };
  const write = async (value: unknown) => {
    await call('patchEntity', {
      params: { blueprint_identifier: blueprint, entity_identifier: entity.identifier ?? '' },
      body: toEntityPart(field, value),
    });
    await refresh(['searchBlueprintEntities', 'getEntity', 'groupBlueprintEntities']);
  };
  const save = async (leaving: Leaving) => {
    if (isSaving) return;
    const next = typed === '' || typed === undefined ? null : typed;
    if (isSame(next, before)) return close(leaving);
    setSaving(true);
    setProblem(undefined);
    try {
      await write(next);
      close(leaving);
      toast({
        text: t('{title} of {title2} was changed', { title: field.title, title2: entity.title || entity.identifier }),
        undo: () => write(before),
      });
    } catch (error) {
      const details = error instanceof ApiError ? error.body?.details : undefined;
      const [issue] = Array.isArray(details) ? (details as { message?: string }[]) : [];
      setProblem(issue?.message ? `${field.title} ${issue.message}` : (error as Error).message);
    } finally {
      setSaving(false);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (!leave) return;
    if (event.key === 'Escape') return close('stay');
    if (event.key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    void save(event.shiftKey ? 'left' : 'right');
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={300}
      trapFocus
      returnFocus={!leave}
      withinPortal
      position="bottom-end"
      shadow="md"
    >
      <Popover.Target>
        <EditCellButton ref={button} field={field} entity={entity} onClick={toggle} />
      </Popover.Target>
      <Popover.Dropdown onClick={(event) => event.stopPropagation()}>
        <form
          onKeyDownCapture={onKey}
          onSubmit={(event) => {
            event.preventDefault();
            void save('down');
          }}
        >
          <Stack gap="xs">
            <FieldInput field={field} value={typed} onChange={setTyped} error={problem} />
            {field.isRequired && (
              <Text size="xs" c="dimmed">
                {t('Required: it cannot be emptied.')}
              </Text>
            )}
            {leave && (
              <Text size="xs" c="dimmed">
                {t('Enter saves and goes down, Tab saves and goes right, Esc cancels.')}
              </Text>
            )}
            <Group gap="xs" justify="flex-end">
              <Button size="xs" variant="default" onClick={() => close('stay')}>
                {t('Cancel')}
              </Button>
              <Button size="xs" type="submit" loading={isSaving}>
                {t('Save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function toEntityPart({ key, source }: Field, value: unknown): object {
  if (source === 'relation') return { relations: { [relationKey({ key })]: value } };
  if (key === '$team') return { team: value ?? [] };
  return key === '$title' ? { title: value } : { properties: { [key]: value } };
}
