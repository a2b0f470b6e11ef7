import { ActionIcon, Group, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight, Pencil } from 'lucide-react';
import { t } from '../../kit/translate.ts';

/** Which of the questions asked in one place is shown, with the ways to the others and to another one. */
export function TurnPlace({
  id,
  siblings,
  onShow,
  onEdit,
}: {
  id: string;
  siblings: readonly string[];
  onShow: ((sibling: string) => void) | undefined;
  onEdit: (() => void) | undefined;
}) {
  const at = siblings.indexOf(id);
  const count = siblings.length;
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const isOneOfSeveral = onShow !== undefined && at >= 0 && count > 1;
  if (!isOneOfSeveral && !onEdit) return null;
  return (
    <Group gap={4} my={2} justify="flex-end">
      {isOneOfSeveral && (
        <>
          <ActionIcon
            size="sm"
            aria-label={t('Earlier version of the question')}
            disabled={before === undefined}
            onClick={() => before !== undefined && onShow(before)}
          >
            <ChevronLeft size={14} />
          </ActionIcon>
          <Text size="xs" c="dimmed">
            {t('{at} / {count}', { at: at + 1, count })}
          </Text>
          <ActionIcon
            size="sm"
            aria-label={t('Later version of the question')}
            disabled={after === undefined}
            onClick={() => after !== undefined && onShow(after)}
          >
            <ChevronRight size={14} />
          </ActionIcon>
        </>
      )}
      {onEdit && (
        <ActionIcon size="sm" aria-label={t('Edit the question')} title={t('Edit the question')} onClick={onEdit}>
          <Pencil size={14} />
        </ActionIcon>
      )}
    </Group>
  );
}
