// What a photo has to be; the web app makes it so before it sends one.

/** Width and height. */
export const photoPixels = 256
export const mostPhotoBytes = 60_000
