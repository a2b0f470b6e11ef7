import { createContext, type ReactNode } from 'react';

/** Who can give access to what a refusal is about; said after every refusal. */
export const ForbiddenHelp = createContext<ReactNode>('An administrator can give you access.');
