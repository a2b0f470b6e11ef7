import { ActionIcon, Progress, Text, VisuallyHidden } from '@mantine/core';
import type { ChecklistItem } from '@portolan/contract/checklist';
import { CircleCheck, CircleDashed, X } from 'lucide-react';
import { useChange } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { t } from '../../kit/translate.ts';
import { WrittenLink } from '../../kit/written-link.tsx';
import classes from './home.module.css';

/** The first steps: each is done by what is there. An administrator hides those the organization does not want. */
export function Checklist({ items, canDismiss }: { items: readonly ChecklistItem[]; canDismiss: boolean }) {
  const dismiss = useChange('patchChecklist', { staleAfter: ['getChecklist'] });
  const shown = items.filter(({ isDismissed }) => !isDismissed);
  const done = shown.filter((item) => item.done).length;
  const hide = (id: ChecklistItem['id']) => dismiss.mutate({ body: { items: { [id]: { isDismissed: true } } } });
  return (
    <Block title={t('First steps')}>
      <Progress
        value={shown.length === 0 ? 0 : (done / shown.length) * 100}
        aria-label={t('{done} of {count} steps are done', { done, count: shown.length })}
        mb="xs"
      />
      <Text size="sm" c="dimmed" mb="xs">
        {t('{done} of {count} done', { done, count: shown.length })}
      </Text>
      <ul className={classes.steps}>
        {shown.map((item) => (
          <li key={item.id}>
            {item.done ? (
              <CircleCheck size={18} className={classes.done ?? ''} aria-hidden="true" />
            ) : (
              <CircleDashed size={18} aria-hidden="true" />
            )}
            <div className={classes.step}>
              <div>
                {item.title}
                <VisuallyHidden>{item.done ? t(', done') : t(', not done')}</VisuallyHidden>
                {!item.done && item.progress && (
                  <span className={classes.note}>
                    {' '}
                    {t('{is} of {of}', { is: item.progress.is, of: item.progress.of })}
                  </span>
                )}
              </div>
              {!item.done && <WrittenLink href={item.next.href}>{item.next.text}</WrittenLink>}
            </div>
            {canDismiss && !item.done && (
              <ActionIcon aria-label={t('Hide “{title}”', { title: item.title })} onClick={() => hide(item.id)}>
                <X size={16} aria-hidden="true" />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}
