// The page of results, joined by build/results-page.ts.
import "virtual:results.css";
import "./page.css";
import "virtual:results.js";
