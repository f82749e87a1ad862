/** A date with its weekday: German has a dot before the comma, and people write `Mo, 16. Nov.`. */
export const dateText = (format: Intl.DateTimeFormat, date: Date): string =>
  format.format(date).replace('.,', ',')
