import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from '../frame/title.ts';
import { EntityIcon } from './entity-icon.tsx';
import classes from './parts.module.css';

/** What begins every screen: its one heading, what it is for, and what can be done. Titles the browser tab too. */
export function PageHeader({
  title,
  icon,
  description,
  above,
  actions,
}: {
  title: string;
  icon?: string | undefined;
  description?: ReactNode;
  /** Breadcrumbs. */
  above?: ReactNode;
  actions?: ReactNode;
}) {
  useTitle(title);
  return (
    <header className={classes.header}>
      <div className={classes.headerText}>
        {above}
        <Title order={1} className={classes.headerTitle ?? ''} dir="auto">
          {icon !== undefined && <EntityIcon name={icon} size={22} />}
          {title}
        </Title>
        {description && (
          <Text component="div" c="dimmed" mt={4}>
            {description}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </header>
  );
}
