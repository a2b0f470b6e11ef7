import type { ComponentType } from 'react';
import { whenOpened } from '../../kit/when-opened.tsx';
import type { SidebarDialogProps } from './sidebar-dialogs.tsx';

/** Names a new or an existing entry of the side bar. */
export const SidebarDialog: ComponentType<SidebarDialogProps> = whenOpened(
  async () => (await import('./sidebar-dialogs.tsx')).SidebarDialogs,
);
