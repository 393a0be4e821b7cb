// The best lead on each stretch of the row, shortest stretches first; one row of the table is enough.
#include <bits/stdc++.h>
using namespace std;

bool stoneGame(vector<int>& piles) {
    vector<int> lead = piles;
    int n = piles.size();
    for (int width = 1; width < n; ++width) {
        for (int left = 0; left + width < n; ++left) {
            lead[left] = max(piles[left] - lead[left + 1], piles[left + width] - lead[left]);
        }
    }
    return lead[0] > 0;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> piles(n);
    for (int& value : piles) cin >> value;
    cout << boolalpha << stoneGame(piles) << "\n";
}
