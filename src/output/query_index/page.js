const filter = document.getElementById("filter");
const cards = [...document.querySelectorAll("article")].map((card) => ({
  card,
  text: [...card.querySelectorAll("h3, p")].map((part) => part.textContent).join(" ").toLowerCase(),
}));
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const { card, text } of cards) {
    card.hidden = !words.every((word) => text.includes(word));
    count += card.hidden ? 0 : 1;
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("article:not([hidden])");
  }
  document.getElementById("shown").textContent = filter.value.trim() ? `${count} shown` : "";
});
