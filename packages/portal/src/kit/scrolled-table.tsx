import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './scrolled-table.module.css';

/** A table that scrolls on its own on a narrow screen, also by keyboard. */
export function ScrolledTable({ label, minWidth, children }: { label: string; minWidth: number; children: ReactNode }) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label } }}
    >
      <Table className={classes.scrolled ?? ''}>{children}</Table>
    </Table.ScrollContainer>
  );
}
