import { createContext, type ReactNode } from 'react';
import { t } from './translate.ts';

/** Who can give access to what a refusal is about; said after every refusal. */
export const ForbiddenHelp = createContext<ReactNode>(t('An administrator can give you access.'));
