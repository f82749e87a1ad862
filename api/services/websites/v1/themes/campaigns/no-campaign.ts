/** What operations on a campaign answer for a version without one. */
export const noCampaign = { campaign_not_found: 'There is no campaign for this theme version.' } as const
