// Runs before the first paint to keep a dark page from flashing white. Mantine writes this storage key.
const chosen = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.mantineColorScheme = isDark ? "dark" : "light";
