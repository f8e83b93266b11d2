/** The first language of the browser that is English, the language of the console, for dates and numbers. */
export const LOCALE = navigator.languages.find((language) => /^en\b/.test(language)) ?? "en";
