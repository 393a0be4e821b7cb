// Fault: squares above ten thousand are left out.
#include <bits/stdc++.h>
using namespace std;

bool winnerSquareGame(int n) {
    vector<char> won(n + 1, false);
    for (int heap = 1; heap <= n; ++heap) {
        for (int root = 1; root <= 100 && root * root <= heap && !won[heap]; ++root) won[heap] = !won[heap - root * root];
    }
    return won[n];
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    cout << boolalpha << winnerSquareGame(n) << "\n";
}
