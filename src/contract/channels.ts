/** Settlement channels: the acquirer's ways in, each with its own batches. assumption: batches */
export const channels = [
  { channelCode: 'SBX-CARD', channelName: 'Sandbox Cards' },
  { channelCode: 'SBX-EBT', channelName: 'Sandbox EBT' },
  { channelCode: 'SBX-QR', channelName: 'Sandbox QR' },
] as const

/** Code of a settlement channel. */
export type ChannelCode = (typeof channels)[number]['channelCode']
