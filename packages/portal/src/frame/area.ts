import type { useNavigate } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Session } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import type { PlainPath } from './link-target.ts';

/** The areas with a rail of their own. Home and Self-service show that of the catalog. */
export type RailArea = 'catalog' | 'ai' | 'builder';

/** The sections of the builder's rail, in their order, with their headings. */
export const builderSections = {
  Model: t('Model'),
  Data: t('Data'),
  People: t('People'),
  Organization: t('Organization'),
};

/** An entry of the top bar or the rail. */
export interface Destination {
  readonly label: string;
  readonly to: PlainPath;
  readonly icon: LucideIcon;
  /** `main` is the top bar (bottom bar on phones); the others are the rails of their areas. */
  readonly where: 'main' | RailArea;
  /** The heading above it in the rail, for areas of several sections. */
  readonly section?: keyof typeof builderSections;
  /** Ascending. */
  readonly order: number;
  /** The key after `G` that opens it. */
  readonly goKey?: string;
  /** Who sees the entry; everyone by default. The server authorizes what they do there. */
  readonly isFor?: (session: Session) => boolean;
}

/** A kind of content for the right panel. The address holds `kind` and the id, so a link can open it. */
export interface PanelDeclaration {
  readonly kind: string;
  readonly title: string;
  readonly load: () => Promise<{ Panel: ComponentType<{ id: string }> }>;
}

/** Something people can do from the palette or with a shortcut. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Additional words that the palette matches. */
  readonly keywords?: string;
  /** `mod+k`, `?`, or a sequence such as `g c`. */
  readonly keys?: string;
  readonly icon?: LucideIcon;
  readonly isFor?: (session: Session) => boolean;
  readonly run: () => void;
}

/** A command of an area that is there on every screen, as it leads to one. */
export interface AreaCommand extends Pick<Command, 'label' | 'keywords' | 'icon' | 'isFor'> {
  readonly run: (navigate: ReturnType<typeof useNavigate>) => void;
}

/** One area of the portal, as the frame knows it. Default export of `screens/<area>/area.ts`. */
export interface Area {
  readonly destinations?: readonly Destination[];
  readonly panels?: readonly PanelDeclaration[];
  readonly commands?: readonly AreaCommand[];
  /** Entries for the user's own things, such as Credentials. */
  readonly userMenu?: readonly { readonly label: string; readonly icon: LucideIcon; readonly to: PlainPath }[];
}

/** Declares an area. The identity function, for type checking and completion. */
export function area(declared: Area): Area {
  return declared;
}
