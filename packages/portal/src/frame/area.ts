import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Session } from '../api/session.ts';
import type { PlainPath } from './link-target.ts';

/** A place the top bar or the rail leads to. */
export interface Destination {
  readonly label: string;
  readonly to: PlainPath;
  readonly icon: LucideIcon;
  /** `main` stands in the top bar and, on phones, at the bottom; the others in the rail under their heading. */
  readonly where: 'main' | 'ai' | 'builder';
  /** Smaller stands first. */
  readonly order: number;
  /** The key after `G` that goes there. */
  readonly goKey?: string;
  /** Who sees it; everybody unless told. The server decides what they may do. */
  readonly isFor?: (session: Session) => boolean;
}

/** What the right panel can show; its address holds `kind` and the id, so that a link opens it too. */
export interface PanelDeclaration {
  readonly kind: string;
  readonly title: string;
  readonly load: () => Promise<{ Panel: ComponentType<{ id: string }> }>;
}

/** Something people can do from the palette or by keys. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Words that find it too. */
  readonly keywords?: string;
  /** `mod+k`, `?`, or a sequence such as `g c`. */
  readonly keys?: string;
  readonly icon?: LucideIcon;
  readonly isFor?: (session: Session) => boolean;
  readonly run: () => void;
}

/** One part of the portal: everything the frame must know of it. Default export of `screens/<area>/area.ts`. */
export interface Area {
  readonly destinations?: readonly Destination[];
  readonly panels?: readonly PanelDeclaration[];
  /** What is a person's own, such as Credentials. */
  readonly userMenu?: readonly { readonly label: string; readonly icon: LucideIcon; readonly to: PlainPath }[];
}

/** Declares an area; the identity function, so that editors complete it. */
export function area(declared: Area): Area {
  return declared;
}
