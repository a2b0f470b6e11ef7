import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import classes from './data-model.module.css';

export interface Part {
  readonly key: string;
  readonly title: string;
  readonly kind: ReactNode;
  readonly detail?: ReactNode;
  readonly problem?: string | undefined;
  /** Why the part cannot be changed; absent if it can. */
  readonly locked?: string | undefined;
}

/** Rows for properties, relations and derived values, with key, type and menu. */
export function PartList({
  label,
  parts,
  onEdit,
  onRename,
  onRemove,
  empty,
}: {
  label: string;
  parts: readonly Part[];
  onEdit: (key: string) => void;
  onRename?: (key: string) => void;
  onRemove: (key: string) => void;
  empty: { readonly title: string; readonly text: string };
}) {
  if (parts.length === 0) return <EmptyState title={empty.title}>{empty.text}</EmptyState>;
  return (
    <ul className={surfaces.list} aria-label={label}>
      {parts
        .toSorted((left, right) => left.title.localeCompare(right.title))
        .map(({ key, title, kind, detail, problem, locked }) => (
          <li key={key} className={classes.item}>
            <div className={classes.itemText}>
              <Group gap="xs">
                <strong dir="auto">{title}</strong>
                <code>{key}</code>
                {kind}
              </Group>
              {detail && <div className={classes.detail}>{detail}</div>}
              {problem && <div className={classes.problem}>{problem}</div>}
            </div>
            {locked ? (
              <span className={classes.detail}>{locked}</span>
            ) : (
              <Group gap={4}>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onEdit(key)}
                  aria-label={t('Edit {title}', { title })}
                >
                  {t('Edit')}
                </Button>
                {onRename && (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="gray"
                    onClick={() => onRename(key)}
                    aria-label={t('Change key of {title}', { title })}
                  >
                    {t('Change key')}
                  </Button>
                )}
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  onClick={() => onRemove(key)}
                  aria-label={t('Remove {title}', { title })}
                >
                  {t('Remove')}
                </Button>
              </Group>
            )}
          </li>
        ))}
    </ul>
  );
}
