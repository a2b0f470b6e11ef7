/** What a standing approval may allow at most, and how many of an agent may hold. */
export const standingApprovalBounds = { perHourMax: 60, daysMax: 90, entitiesMax: 100, perAgentMax: 50 } as const;
