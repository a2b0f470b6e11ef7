import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './surfaces.module.css';

/** A section of a screen with its own heading. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.block} aria-label={title}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}
